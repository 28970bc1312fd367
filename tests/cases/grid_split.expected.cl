/* Indices of grids are split into the dimensions where they stand: by Horner's rule and written out, through
 * an index function, a macro, variables, pointers that are set once, conditions at the border, extents that are
 * sums, and in a helper, where it is a guess. */
#define AT(f, x, y, z) f[((z)*ny + (y)) * nx + (x)]

int at(int x, int y, int z, int nx, int ny)
{
    return (z * ny + y) * nx + x;
}

//DL: grid: f[nz][ny][nx] AOS2ASTA_float_1, g[nz][ny][nx] AOS2ASTA_float_1 as z[*] y[*] x[*] y[1:0] x[2:0]
//DL-table: 2
/* prelude */
static __global float *dl_float_1_any(__global const float *dl_f, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + dl_e;
#else
    dl_index dl_i = dl_e / 1;

    if (dl_i >= dl_head + dl_tail)
        return (__global float *)dl_f + (dl_signed)dl_e;
    return DL_AT(float, dl_f, dl_i, 4, dl_e % 1 * 4, 4);
#endif
}
//DL-kernel: all 5
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 11 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: z arg(4, i4, 0)
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: z[*] y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read write
//DL-access: unknown 0+4 read write
//DL-buffer: g arg 1 read aos bytes 4 line 11 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: z arg(4, i4, 0)
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: z[*] y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read
//DL-access: unknown 0+4 read
//DL-end: all
#line 12
__kernel void all(__global float *f, __global const float *g, int nx, int ny, int nz DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int row = (z * ny + y) * nx, west = x > 0 ? x - 1 : nx - 1, i = row + x;
    const int south = y > 0 ? row - nx : row + nx * (ny - 1);
    dl_index here = (i);

    (*dl_float_1_any(f, DL_RANK3(f, x + nx * (y + ny * z), 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(g, DL_RANK3(g, x + nx * y + nx * ny * z, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(g)));
    (*dl_float_1_any(f, DL_RANK3(f, at(x, y, z, nx, ny), 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK3(g, ((z)*ny + (y - 1)) * nx + (x + 1), 0, (dl_index)z, (dl_index)y - (dl_index)1, (dl_index)x + (dl_index)1) DL_RANKED(g)));
    (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK3(g, i + nx - 1, 0, (dl_index)z, (dl_index)y + (dl_index)1, (dl_index)x - (dl_index)1) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, row + west, 0, (dl_index)z, (dl_index)y, ((x > 0) ? (dl_index)x - (dl_index)1 : (dl_index)nx - (dl_index)1)) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, south + x, 0, ((y > 0) ? (dl_index)z : (dl_index)z + (dl_index)1), (dl_index)y - (dl_index)1, (dl_index)x) DL_RANKED(g)));
    (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK3(g, here + (-nx * ny), 0, (dl_index)z - (dl_index)1, (dl_index)y, (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, here, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, here + (x < 3 ? nx : -1), 0, (dl_index)z, (dl_index)y + ((x < 3) ? (dl_index)1 : 0), (dl_index)x + ((x < 3) ? 0 : -(dl_index)1)) DL_RANKED(g)));
    (*dl_float_1_any(f, i % 7 DL_ARGS(f))) += (*dl_float_1_any(g, i / 3 DL_ARGS(g)));
}

float mean(__global const float *f, int x, int y, int nx, int ny)
{
    return (f[y * nx + x] + f[(y + 1) * nx + x]) * 0.5f;
}

//DL: grid: f[ny + 2][nx + 2][4] AOS2ASTA_float_1 as i0[*] i1[*] k i0[1:0] i1[1:0]
//DL-kernel: padded 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 31 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: i0 arg(2, i4, 0) + 2
//DL-extent: i1 arg(1, i4, 0) + 2
//DL-extent: k 4
//DL-strips: i0[*] i1[*] k i0[1:0] i1[1:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-matrix: 0 0 0 0 0 0 0 0 0
//DL-access: linear 4 0+4 read write loops 1 counted 1 rounds 4
//DL-end: padded
#line 32
__kernel void padded(__global float *f, int nx, int ny DL_PARAMS(f))
{
    const int x = get_global_id(0), y = get_global_id(1);

    for (int k = 0; k < 4; k++) {
        const int cell = (y + 1) * (nx + 2) + x + 1, i = cell * 4 + k;

        (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)y + (dl_index)1, (dl_index)x + (dl_index)1, (dl_index)k) DL_RANKED(f))) = (*dl_float_1_any(f, DL_RANK3(f, i - 4, 0, (dl_index)y + (dl_index)1, (dl_index)x, (dl_index)k) DL_RANKED(f))) + (*dl_float_1_any(f, DL_RANK3(f, i + (nx + 2) * 4, 0, (dl_index)y + (dl_index)2, (dl_index)x + (dl_index)1, (dl_index)k) DL_RANKED(f))) + (*dl_float_1_any(f, DL_RANK3(f, cell * 4 + 3 - k, 0, (dl_index)y + (dl_index)1, (dl_index)x + (dl_index)2, -(dl_index)k - (dl_index)1) DL_RANKED(f)));
    }
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[1:0]
#line 26
static DL_INLINE float dl_mean(__global const float *f, dl_index dl_at_f DL_PARAMS(f), int x, int y, int nx, int ny)
{
    return ((*dl_float_1_any(f, DL_RANK2(f, dl_at_f + (y * nx + x), 1, (dl_index)y, (dl_index)x) DL_RANKED(f))) + (*dl_float_1_any(f, DL_RANK2(f, dl_at_f + ((y + 1) * nx + x), 1, (dl_index)y + (dl_index)1, (dl_index)x) DL_RANKED(f)))) * 0.5f;
}
//DL-kernel: helped 3
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 4 line 43 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(2, i4, 0)
//DL-extent: x arg(1, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[1:0]
//DL-access: linear 1 0+4 read write
//DL-end: helped
#line 44
__kernel void helped(__global float *f, int nx, int ny DL_PARAMS(f))
{
    (*dl_float_1_any(f, get_global_id(0) DL_ARGS(f))) = dl_mean(f, 0 DL_ARGS(f), get_global_id(0), 1, nx, ny);
}

ulong mixed(int x, long y, uint nx)
{
    const ulong row = y * nx;

    return row + x;
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[1:0]
//DL-kernel: by_function 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 56 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(2, i4, 0)
//DL-extent: x arg(1, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[1:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 read write
//DL-end: by_function
#line 57
__kernel void by_function(__global float *f, int nx, int ny DL_PARAMS(f))
{
    const int x = get_global_id(0), y = get_global_id(1);

    (*dl_float_1_any(f, DL_RANK2(f, mixed(x, y, nx), 0, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(f, DL_RANK2(f, mixed(x + 1, y, nx), 0, (dl_index)y, (dl_index)x + (dl_index)1) DL_RANKED(f)));
}

//DL: grid: f[64][32] AOS2ASTA_float_1 as i0[*] k[*] i0[1:0] k[1:0]
//DL-kernel: numbers 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 64 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: i0 64
//DL-extent: k 32
//DL-strips: i0[*] k[*] i0[1:0] k[1:0]
//DL-access: linear 1 0+4 read write
//DL-access: uniform 0+4 read
//DL-end: numbers
#line 65
__kernel void numbers(__global float *f DL_PARAMS(f))
{
    const uint x = get_global_id(0), y = get_global_id(1);

    (*dl_float_1_any(f, DL_RANK2(f, y * 32 + x, 0, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(f, (y * 32 + x + 31) & 2047 DL_ARGS(f))) + (*dl_float_1_any(f, DL_RANK2(f, 32 * y + x + 31, 0, (dl_index)y + (dl_index)1, (dl_index)x - (dl_index)1) DL_RANKED(f))) + (*dl_float_1_any(f, DL_RANK2(f, 32 * y + 65, 0, (dl_index)y + (dl_index)2, (dl_index)1) DL_RANKED(f))) + (*dl_float_1_any(f, DL_RANK2(f, (y + 1) * 32 - 1, 0, (dl_index)y, (dl_index)31) DL_RANKED(f)));
}
