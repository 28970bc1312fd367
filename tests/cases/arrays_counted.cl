// run: fill arrays:7 n words:2
// How many arrays there are, the launch counts.
//DL: SoA: f[n][] to ASTA
__kernel void fill(__global int *f, const int n, __global int *plain)
{
    const int i = get_global_id(0);

    f[6 * n + i] = f[i] + f[2 * n + i];
    plain[i] = f[3 * n + (i + 1) % n];
    atomic_add(&f[5 * n + i], 3);
    atomic_inc(f + n + i / 2);
}
