// optimised: else PoCL 3.1 leaves out the work-group's number where a kernel is called by a kernel
// run: outer structs structs n
// What a kernel calls may be a kernel: it is copied as a helper is, and stays a kernel itself.
typedef struct {
    int x, y;
} pair;

__kernel void add(__global pair *f, __global const pair *g, int by)
{
    int i = get_global_id(0);

    f[i].x += g[i].y + by;
}

kernel void twice(__global pair *f)
{
    add(f, f, 1);
    add(f + 0, f, 2);
}

//DL: AoS: f[n], g[n]
__kernel void outer(__global pair *f, __global pair *g, int n)
{
    add(f, g, n);
    twice(g);
    g[get_global_id(0)].y ^= f[get_global_id(0)].x;
}
