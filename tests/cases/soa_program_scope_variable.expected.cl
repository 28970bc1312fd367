// run: as_it_is structs n
// options: -cl-std=CL2.0
// A kernel on discrete arrays needs no program of its own.
typedef struct {
    int a, b;
} item;

__global int total;

//DL: AoS: f[n]
__kernel void rewritten(__global item *f, int n)
{
    f[get_global_id(0)].a = total;
}

//DL: SoA: f[n][2]
__kernel void as_it_is(__global int *f, int n)
{
    f[n + get_global_id(0)] += total;
}
//DL-table: 2
//DL-kernel: as_it_is 2
//DL-buffer: f arg 0 write soa bytes 8 line 16 type int
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-end: as_it_is
