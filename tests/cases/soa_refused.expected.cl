// run: misspelt words:1 n
// Kernels that must not run, since they can't be given what they read.
//DL: SoA: g[n][3]
__kernel void misspelt(__global int *f, int n)
{
    f[get_global_id(0)] = n;
}

//DL: SoA: f[n]
__kernel void no_width(__global int *f, int n)
{
    f[get_global_id(0)] = n;
}

//DL: SoA: f[n][3]
//DL: AoS: f[n][3]
__kernel void both_ways(__global int *f, int n)
{
    f[get_global_id(0)] = n;
}

//DL: SoA: f[n][3] and more
__kernel void malformed(__global int *f, int n)
{
    f[get_global_id(0)] = n;
}
//DL-table: 2
//DL-kernel: misspelt 2
//DL-refused: soa
//DL-end: misspelt
//DL-kernel: no_width 2
//DL-refused: soa
//DL-end: no_width
//DL-kernel: both_ways 2
//DL-refused: soa
//DL-end: both_ways
//DL-kernel: malformed 2
//DL-refused: soa
//DL-end: malformed
