/* What an index is made of is repeated where the element is reached only if it is still the same there: not where
 * a pointer may have changed it, or another work-item has, or a name means something else by then. */

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void through_pointer(__global float *f, __global const float *g, int nx, int ny)
{
    int x = get_global_id(0), y = get_global_id(1), *to_y = &y;
    {
        const int i = x + nx * y;

        *to_y = 0;
        f[i] = g[i];
    }
}

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void by_others(__global float *f, __global const float *g, int nx, int ny)
{
    __local int row;
    __local struct { int count; } rows;

    if (get_local_id(0) == 0) {
        row = get_group_id(1);
        rows.count = row;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    {
        const int i = get_global_id(0) + nx * row, k = get_global_id(0) + nx * rows.count;

        barrier(CLK_LOCAL_MEM_FENCE);
        f[i] = g[k];
    }
    if (get_local_id(0) == 0)
        rows.count = row = 0;
}

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void by_enumerator(__global float *f, __global const float *g, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1), i = x + nx * y;
    {
        enum { x = 1 };
        f[i] = g[i] + x;
    }
}

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void by_typedef(__global float *f, __global const float *g, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1), i = x + nx * y;
    {
        typedef float y;
        f[i] = g[i] + (y)1;
    }
}

//DL: grid: f[ny][nx], g[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void by_variable(__global float *f, __global const float *g, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1), i = x + nx * y;
    {
        const int x = 1;
        f[i] = g[i] + x;
    }
}

/* The extents, too: nx is split by nx + pad, whose pad is another here. */
//DL: grid: f[ny][nx + pad], g[ny][nx + pad] as y[*] k[*] y[1:0] k[2:0]
__kernel void other_extent(__global float *f, __global const float *g, int nx, int ny, int pad)
{
    const int x = get_global_id(0), y = get_global_id(1);

    for (int pad = 0; pad < 2; pad++)
        f[y * nx + x] += g[y * nx + x] + pad;
}
