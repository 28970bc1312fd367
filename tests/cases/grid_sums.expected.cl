/* What is read of an index of a grid and of its extents, form by form, and what is not: such an index is divided. */
typedef struct {
    int a, b;
} cell;

int far(int x, char y, int w)
{
    return x + w * y;
}

short narrow(int x, int y, int w)
{
    return x + w * y;
}

int wrapped(int x, int y, int w)
{
    return x % w + w * y;
}

int chosen(int x, int y, int w)
{
    return x > 0 ? x - 1 + w * y : w * y;
}

//DL: grid: f[nz][ny - 1][3 + 2 * nx] AOS2ASTA_float_1, g[nz][ny - 1][3 + 2 * nx] AOS2ASTA_float_1 as z[*] i1[*] k[*] i1[1:0] k[2:0]
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
//DL-kernel: extents 5
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 26 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: z arg(4, i4, 0)
//DL-extent: i1 arg(3, i4, 0) - 1
//DL-extent: k 3 + 2 * arg(2, i4, 0)
//DL-strips: z[*] i1[*] k[*] i1[1:0] k[2:0]
//DL-access: linear 1 0+4 read write
//DL-buffer: g arg 1 read aos bytes 4 line 26 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: z arg(4, i4, 0)
//DL-extent: i1 arg(3, i4, 0) - 1
//DL-extent: k 3 + 2 * arg(2, i4, 0)
//DL-strips: z[*] i1[*] k[*] i1[1:0] k[2:0]
//DL-access: linear 1 0+4 read
//DL-access: uniform 0+4 read
//DL-end: extents
#line 27
__kernel void extents(__global float *f, __global const float *g, int nx, int ny, int nz DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int w = 2 * nx + 3, h = ny - 1, slice = z * h * w;

    (*dl_float_1_any(f, DL_RANK3(f, x + w * y + slice, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(g, DL_RANK3(g, x + y * w, 0, 0, (dl_index)y, (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, z * (ny - 1) * (2 * nx + 3) + x, 0, (dl_index)z, 0, (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, (ny * z - z) * w + w * 2 - 1, 0, (dl_index)z, (dl_index)1, (dl_index)2 * (dl_index)nx + (dl_index)2) DL_RANKED(g)));
    (*dl_float_1_any(f, x + nx * y DL_ARGS(f))) += (*dl_float_1_any(g, DL_RANK3(g, x + 6 * nx + 9, 0, 0, (dl_index)3, (dl_index)x) DL_RANKED(g)));
}

//DL: grid: f[nz][ny][nx] AOS2ASTA_float_1, g[nz][ny][nx] AOS2ASTA_float_1 as z[*] y[*] x[*] y[1:0] x[2:0]
//DL-kernel: sums 5
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 4 line 36 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: z arg(4, i4, 0)
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: z[*] y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read write
//DL-buffer: g arg 1 read aos bytes 4 line 36 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: z arg(4, i4, 0)
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: z[*] y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read
//DL-access: linear 2 0+4 read
//DL-access: uniform 0+4 read
//DL-access: unknown 0+4 read
//DL-access: linear -1 0+4 read
//DL-end: sums
#line 37
__kernel void sums(__global float *f, __global const float *g, int nx, int ny, int nz DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int i = (z * ny + y) * nx + x;
    dl_index to = (i);
    dl_index from = (dl_index)(i) - nx;

    (*dl_float_1_any(f, DL_RANK3(f, to, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(g, DL_RANK3(g, from + nx, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, (from + x - 1), 0, (dl_index)z, (dl_index)y - (dl_index)1, (dl_index)2 * (dl_index)x - (dl_index)1) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, ((dl_index)(from + (-x))) + 1, 0, (dl_index)z, (dl_index)y - (dl_index)1, (dl_index)1) DL_RANKED(g))) + (*dl_float_1_any(f, DL_RANK3(f, (to - nx * ny), 0, (dl_index)z - (dl_index)1, (dl_index)y, (dl_index)x) DL_RANKED(f)));
    (*dl_float_1_any(f, DL_RANK3(f, x + nx * y, 0, 0, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(g, DL_RANK3(g, (x > 1 ? y : z) * nx + x, 0, 0, ((x > 1) ? (dl_index)y : (dl_index)z), (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, nx * (x > 1 ? y : z) + x, 0, 0, ((x > 1) ? (dl_index)y : (dl_index)z), (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, (x > 1 ? 2 * nx : 3 * nx) + x, 0, 0, ((x > 1) ? (dl_index)2 : (dl_index)3), (dl_index)x) DL_RANKED(g)));
    (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(g, (x > 1 ? y : 0) * (y > 1 ? nx : 0) DL_ARGS(g))) + (*dl_float_1_any(g, x > 1 ? y > 1 ? i : 0 : i - 1 DL_ARGS(g))) + (*dl_float_1_any(g, DL_RANK3(g, (x > 1 ? -1 : 1) + (y > 2 ? nx : 0) + i, 0, (dl_index)z, (dl_index)y + ((y > 2) ? (dl_index)1 : 0), (dl_index)x + ((x > 1) ? -(dl_index)1 : (dl_index)1)) DL_RANKED(g)));
    (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK3(g, ~x + nx * y, 0, 0, (dl_index)y, (dl_index)(~x)) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, !x + nx * y, 0, 0, (dl_index)y, (dl_index)(!x)) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, -x - nx * -y, 0, 0, (dl_index)y, -(dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, (uchar)(x + 1) + nx * y, 0, 0, (dl_index)y, (dl_index)((uchar)(x + 1))) DL_RANKED(g))) + (*dl_float_1_any(g, (int)(x * 1.5f) + nx * y DL_ARGS(g)));
    (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK3(g, x * 65536 * 65536 + nx * y, 0, 0, (dl_index)y, (dl_index)(x * 65536 * 65536)) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, (x + 65536 * 32767) * 2 + 65536 * 32767 * 2 + nx * y, 0, 0, (dl_index)y, (dl_index)((x + 65536 * 32767) * 2) + (dl_index)(65536 * 32767 * 2)) DL_RANKED(g)));
    (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK3(g, (x > 1 ? y : 0) * (y > 1 ? nx : 0) + i, 0, (dl_index)z, (dl_index)y, (dl_index)x + ((x > 1) ? (dl_index)y * (dl_index)(y > 1 ? nx : 0) : 0)) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, (x > 1 ? y > 1 ? nx : 0 : 1) + i, 0, (dl_index)z, (dl_index)y, (dl_index)(x > 1 ? y > 1 ? nx : 0 : 1) + (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, x * x * x * x * x * x * x * x * x + i, 0, (dl_index)z, (dl_index)y, (dl_index)x * (dl_index)x * (dl_index)(x * x * x * x * x * x * x) + (dl_index)x) DL_RANKED(g)));
    (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK3(g, nx * y - 1, 0, 0, (dl_index)y, -(dl_index)1) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK3(g, nx * y - nx - 1, 0, 0, (dl_index)y - (dl_index)1, -(dl_index)1) DL_RANKED(g))) + (*dl_float_1_any(f, DL_RANK3(f, (to - nx), 0, (dl_index)z, (dl_index)y - (dl_index)1, (dl_index)x) DL_RANKED(f)));
    (*dl_float_1_any(f, DL_RANK3(f, i, 0, (dl_index)z, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, far(x, y, nx) DL_ARGS(g))) + (*dl_float_1_any(g, narrow(x, y, nx) DL_ARGS(g))) + (*dl_float_1_any(g, wrapped(x, y, nx) DL_ARGS(g))) + (*dl_float_1_any(g, chosen(x, y, nx) DL_ARGS(g)));
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
//DL-kernel: changed 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 54 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 54 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read
//DL-end: changed
#line 55
__kernel void changed(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1);

    (*dl_float_1_any(f, x + nx * y DL_ARGS(f))) = (*dl_float_1_any(g, x + nx * y DL_ARGS(g)));
    nx++;
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
//DL-kernel: moved 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 63 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read write
//DL-buffer: g arg 1 read aos bytes 4 line 63 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read
//DL-end: moved
#line 64
__kernel void moved(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_at_g = 0;
    const int x = get_global_id(0), y = get_global_id(1);
    volatile int v = y;

    dl_at_g += nx;
    (*dl_float_1_any(f, DL_RANK2(f, x + nx * y, 0, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(g, dl_at_g + (x + nx * y) DL_ARGS(g))) + (*dl_float_1_any(f, x + nx * v DL_ARGS(f)));
}

//DL: grid: f[n.y][n.x] AOS2ASTA_float_1, g[n.y][n.x] AOS2ASTA_float_1 as i0[*] k[*] i0[1:0] k[2:0]
//DL-kernel: of_vector 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 73 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: i0 arg(2, i4, 4)
//DL-extent: k arg(2, i4, 0)
//DL-strips: i0[*] k[*] i0[1:0] k[2:0]
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 73 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: i0 arg(2, i4, 4)
//DL-extent: k arg(2, i4, 0)
//DL-strips: i0[*] k[*] i0[1:0] k[2:0]
//DL-access: linear 1 0+4 read
//DL-end: of_vector
#line 74
__kernel void of_vector(__global float *f, __global const float *g, int2 n DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1);

    (*dl_float_1_any(f, x + n.x * y DL_ARGS(f))) = (*dl_float_1_any(g, x + n.x * y DL_ARGS(g)));
}

//DL: grid: f[ny][nx] AOS2ASTA_cell, g[ny][nx] AOS2ASTA_cell as y[*] x[*] y[1:0] x[2:0]
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: far_pointers 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 81 type cell
//DL-leaves: 0+4*2
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read
//DL-buffer: g arg 1 write aos bytes 8 line 81 type cell
//DL-leaves: 0+4*2
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read
//DL-end: far_pointers
#line 82
__kernel void far_pointers(__global cell *f, __global cell *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1);
    dl_far either = x > 3 ? dl_far_at(f, 0 DL_ARGS(f)) : dl_far_at(g, 0 DL_ARGS(g));

    (*dl_cell_a((__global cell *)either.dl_f, either.dl_i + (x + nx * y) DL_FAR_ARGS(either))) = (*dl_cell_b(f, DL_RANK2(f, x + nx * y, 0, (dl_index)y, (dl_index)x) DL_RANKED(f)));
}

//DL: grid: f[16][32] AOS2ASTA_float_1, g[16][32] AOS2ASTA_float_1 as i0[*] k[*] i0[1:0] k[2:0]
//DL-kernel: arrays 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 90 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: i0 16
//DL-extent: k 32
//DL-strips: i0[*] k[*] i0[1:0] k[2:0]
//DL-matrix: 0 0 0 0 0 0 0 0 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 90 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: i0 16
//DL-extent: k 32
//DL-strips: i0[*] k[*] i0[1:0] k[2:0]
//DL-access: linear 1 0+4 read
//DL-end: arrays
#line 91
__kernel void arrays(__global float (*f)[32], __global const float (*g)[32] DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0);

    (*dl_float_1_any((__global const float *)f, DL_RANK2(f, (dl_index)(0) * 32 + (dl_index)(x), 0, 0, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any((__global const float *)g, DL_RANK2(g, (dl_index)(x / 32) * 32 + (dl_index)(x % 32), 0, (dl_index)(x / 32), (dl_index)(x % 32)) DL_RANKED(g))) + (*dl_float_1_any((__global const float *)g, DL_RANK2(g, (dl_index)(1) * 32 + (dl_index)(x - 32), 0, 0, (dl_index)x) DL_RANKED(g)));
}

//DL: grid: f[64][32] AOS2ASTA_float_1, g[64][32] AOS2ASTA_float_1 as i0[*] k[*] i0[1:0] k[2:0]
//DL-kernel: numbers 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 98 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: i0 64
//DL-extent: k 32
//DL-strips: i0[*] k[*] i0[1:0] k[2:0]
//DL-matrix: 0 0 0 0 0 0 0 1 0
//DL-matrix: 0 0 0 0 0 0 1 0 0
//DL-access: uniform 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 98 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: i0 64
//DL-extent: k 32
//DL-strips: i0[*] k[*] i0[1:0] k[2:0]
//DL-access: linear 1 0+4 read
//DL-access: linear -1 0+4 read
//DL-access: uniform 0+4 read
//DL-access: linear 3 0+4 read
//DL-end: numbers
#line 99
__kernel void numbers(__global float *f, __global const float *g DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1);

    (*dl_float_1_any(f, DL_RANK2(f, y * 32 + (x > 1 ? 0 : x), 0, (dl_index)y, ((x > 1) ? 0 : (dl_index)x)) DL_RANKED(f))) = (*dl_float_1_any(g, DL_RANK2(g, (y > 1 ? 64 : 32) + x, 0, ((y > 1) ? (dl_index)2 : (dl_index)1), (dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK2(g, y * 96 - x, 0, (dl_index)3 * (dl_index)y, -(dl_index)x) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK2(g, y * 32 + (x > 2 ? 63 : 31), 0, (dl_index)y + ((x > 2) ? (dl_index)1 : 0), (dl_index)31) DL_RANKED(g))) + (*dl_float_1_any(g, DL_RANK2(g, x * 3 + 31, 0, (dl_index)1, (dl_index)3 * (dl_index)x - (dl_index)1) DL_RANKED(g)));
    (*dl_float_1_any(f, DL_RANK2(f, y * 32 + (x > 1 ? 5 : x) + 31, 0, (dl_index)y + (dl_index)1, -(dl_index)1 + ((x > 1) ? (dl_index)5 : (dl_index)x)) DL_RANKED(f))) = (*dl_float_1_any(g, DL_RANK2(g, (y > 1 ? 63 : 31) + x, 0, ((y > 1) ? (dl_index)2 : (dl_index)1), (dl_index)x - (dl_index)1) DL_RANKED(g)));
}

//DL: grid: f[ny][nx - nx] AOS2ASTA_float_1, g[ny][nx - nx] AOS2ASTA_float_1 as y[*] k[*] y[1:0] k[2:0]
//DL-kernel: nothing 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 107 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: k arg(2, i4, 0) - arg(2, i4, 0)
//DL-strips: y[*] k[*] y[1:0] k[2:0]
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 107 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: k arg(2, i4, 0) - arg(2, i4, 0)
//DL-strips: y[*] k[*] y[1:0] k[2:0]
//DL-access: uniform 0+4 read
//DL-end: nothing
#line 108
__kernel void nothing(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    (*dl_float_1_any(f, get_global_id(0) DL_ARGS(f))) = (*dl_float_1_any(g, ny DL_ARGS(g)));
}

float beside(__global const float *f, int x, int y, int nx)
{
    f += nx;
    return f[x + nx * y];
}

//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
#line 113
static DL_INLINE float dl_beside(__global const float *f, dl_index dl_at_f DL_PARAMS(f), int x, int y, int nx)
{
    dl_at_f += nx;
    return (*dl_float_1_any(f, dl_at_f + (x + nx * y) DL_ARGS(f)));
}
//DL-kernel: helped 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 119 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 write
//DL-buffer: g arg 1 read aos bytes 4 line 119 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read
//DL-end: helped
#line 120
__kernel void helped(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    (*dl_float_1_any(f, get_global_id(0) DL_ARGS(f))) = dl_beside(g, 0 DL_ARGS(g), get_global_id(0), 1, nx);
}

int next(int *state)
{
    return *state += 1;
}

struct ids {
    volatile int x;
    int y;
};

/* What would be computed twice, if it were repeated, or is no plain value. */
//DL: grid: f[ny][nx] AOS2ASTA_float_1, g[ny][nx] AOS2ASTA_float_1 as y[*] x[*] y[1:0] x[2:0]
//DL-kernel: not_twice 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 4 line 136 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: linear 1 0+4 read write
//DL-access: unknown 0+4 read write
//DL-buffer: g arg 1 read aos bytes 4 line 136 type float
//DL-leaves: 0+4
//DL-structs: *
//DL-extent: y arg(3, i4, 0)
//DL-extent: x arg(2, i4, 0)
//DL-strips: y[*] x[*] y[1:0] x[2:0]
//DL-access: unknown 0+4 read
//DL-access: linear 1 0+4 read
//DL-end: not_twice
#line 137
__kernel void not_twice(__global float *f, __global const float *g, int nx, int ny DL_PARAMS(f) DL_PARAMS(g))
{
    const int x = get_global_id(0), y = get_global_id(1);
    int state = x, q = x, list[2] = {x, y}, *p = list;
    struct ids id = {x, y}, *at = &id;

    (*dl_float_1_any(f, DL_RANK2(f, x + nx * y, 0, (dl_index)y, (dl_index)x) DL_RANKED(f))) = (*dl_float_1_any(g, next(&state) + nx * y DL_ARGS(g))) + (*dl_float_1_any(g, q++ + nx * y DL_ARGS(g))) + (*dl_float_1_any(g, --q + nx * y DL_ARGS(g))) + (*dl_float_1_any(g, (q = x) + nx * y DL_ARGS(g))) + (*dl_float_1_any(g, (q += 1) + nx * y DL_ARGS(g)));
    (*dl_float_1_any(f, DL_RANK2(f, x + nx * y, 0, (dl_index)y, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, *p + nx * y DL_ARGS(g))) + (*dl_float_1_any(g, list[0] + nx * y DL_ARGS(g))) + (*dl_float_1_any(g, at->y + nx * y DL_ARGS(g))) + (*dl_float_1_any(g, id.x + nx * y DL_ARGS(g))) + (*dl_float_1_any(g, DL_RANK2(g, id.y + nx * y, 0, (dl_index)y, (dl_index)id.y) DL_RANKED(g)));
    {
        const int r = q, i = x + nx * r;
        int last = y;
        {
            const int k = x + nx * last;

            (*dl_float_1_any(f, DL_RANK2(f, i, 0, (dl_index)r, (dl_index)x) DL_RANKED(f))) += (*dl_float_1_any(g, DL_RANK2(g, k, 0, (dl_index)last, (dl_index)x) DL_RANKED(g)));
        }
        last++;
    }
}
