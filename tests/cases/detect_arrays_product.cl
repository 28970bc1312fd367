// detect: on
// run: move arrays:3 arrays:3 n int:1 int:1
// The length is a product that stands in the index itself, or has a name.
float next(__global const float *f, int i, int length)
{
    return f[2 * length + i];
}

__kernel void move(__global float *f, __global const float *g, const int nx, const int ny,
                   const int nz)
{
    const int i = get_global_id(0), count = nz * nx * ny;

    if (i >= nx * ny * nz)
        return;
    f[2 * (nx * ny * nz) + i] = f[i] + f[1 * (ny * nx * nz) + i] + g[i + nx * ny * nz * 2];
    for (int k = 0; k < 3; k++)
        f[k * count + i] = next(g, i, nx * ny * nz) - g[nz * (nx * k * ny) + i];
}

/* A plane that each work-item has its own of is no array, nor is the product of two of its sides. */
__kernel void planes(__global float *h, const int nx, const int ny)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);

    h[z * nx * ny + y * nx + x] *= 2.0f;
}
