/* Indices of grids are split into the dimensions where they stand: by Horner's rule and written out, through
 * an index function, a macro, variables, pointers that are set once, conditions at the border, extents that are
 * sums, and in a helper, where it is a guess. */
#define AT(f, x, y, z) f[((z)*ny + (y)) * nx + (x)]

int at(int x, int y, int z, int nx, int ny)
{
    return (z * ny + y) * nx + x;
}

//DL: grid: f[nz][ny][nx], g[nz][ny][nx] as z[*] y[*] x[*] y[1:0] x[2:0]
__kernel void all(__global float *f, __global const float *g, int nx, int ny, int nz)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int row = (z * ny + y) * nx, west = x > 0 ? x - 1 : nx - 1, i = row + x;
    const int south = y > 0 ? row - nx : row + nx * (ny - 1);
    __global const float *here = g + i;

    f[x + nx * (y + ny * z)] = g[x + nx * y + nx * ny * z];
    f[at(x, y, z, nx, ny)] += AT(g, x + 1, y - 1, z);
    f[i] += g[i + nx - 1] + g[row + west] + g[south + x];
    f[i] += here[-nx * ny] + *here + here[x < 3 ? nx : -1];
    f[i % 7] += g[i / 3];
}

float mean(__global const float *f, int x, int y, int nx, int ny)
{
    return (f[y * nx + x] + f[(y + 1) * nx + x]) * 0.5f;
}

//DL: grid: f[ny + 2][nx + 2][4] as i0[*] i1[*] k i0[1:0] i1[1:0]
__kernel void padded(__global float *f, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1);

    for (int k = 0; k < 4; k++) {
        const int cell = (y + 1) * (nx + 2) + x + 1, i = cell * 4 + k;

        f[i] = f[i - 4] + f[i + (nx + 2) * 4] + f[cell * 4 + 3 - k];
    }
}

//DL: grid: f[ny][nx] as y[*] x[*] y[1:0] x[1:0]
__kernel void helped(__global float *f, int nx, int ny)
{
    f[get_global_id(0)] = mean(f, get_global_id(0), 1, nx, ny);
}

ulong mixed(int x, long y, uint nx)
{
    const ulong row = y * nx;

    return row + x;
}

//DL: grid: f[ny][nx] as y[*] x[*] y[1:0] x[1:0]
__kernel void by_function(__global float *f, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1);

    f[mixed(x, y, nx)] += f[mixed(x + 1, y, nx)];
}

//DL: grid: f[64][32] as i0[*] k[*] i0[1:0] k[1:0]
__kernel void numbers(__global float *f)
{
    const uint x = get_global_id(0), y = get_global_id(1);

    f[y * 32 + x] = f[(y * 32 + x + 31) & 2047] + f[32 * y + x + 31] + f[32 * y + 65] + f[(y + 1) * 32 - 1];
}
