// run: go structs structs structs structs n
enum sizes { FEW = 2, MANY = FEW * 2 };
typedef enum { LATE = 3 } late;
__constant int rows = 5;
#define WIDTH 2
typedef struct {
    float x, y;
    int n;
} cell;
struct tagged {
    cell c[2];
    long k;
};

//DL: AoS: f[get_global_size(0) > 0 ? get_global_size(0) : 1] AOS2ASTA_cell, g[n][MANY * WIDTH] AOS2ASTA_float_8, h[n][sizeof(cell) / sizeof(float) + (sizeof(unsigned int) == 4 && rows != 0)] AOS2ASTA_float_4, t[n * rows / 5 * LATE / LATE] AOS2ASTA_tagged
//DL-table: 2
/* prelude */
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
static __global float *dl_float_8_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 8 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 32, dl_e * 4, 4);
#endif
}
static __global float *dl_float_4_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 4 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 16, dl_e * 4, 4);
#endif
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 4, 4);
}
static __global int *dl_tagged_c_n(__global const struct tagged *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 32, 8 + dl_k0 * 12, 4);
}
static __global long *dl_tagged_k(__global const struct tagged *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(long, dl_f, dl_i, 32, 24, 8);
}
//DL-kernel: go 5
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 15 type cell
//DL-leaves: 0+4*3
//DL-structs: global_size(0) > 0 ? global_size(0) : 1
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-buffer: g arg 1 write aos bytes 32 line 15 type float
//DL-leaves: 0+4*8
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 0+4 read
//DL-buffer: h arg 2 write aos bytes 16 line 15 type float
//DL-leaves: 0+4*4
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 12+4 write
//DL-access: linear 1 4+4 read
//DL-buffer: t arg 3 write aos bytes 32 line 15 type struct tagged
//DL-leaves: 0+4*6 24+8
//DL-structs: arg(4, i4, 0) * 5 / 5 * 3 / 3
//DL-access: linear 1 20+4 read write
//DL-access: linear 1 24+8 read
//DL-end: go
#line 16
__kernel void go(__global cell *f, __global float *g, __global float *h, __global struct tagged *t, int n DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h) DL_PARAMS(t))
{ dl_index dl_w_g = (long)8; dl_index dl_w_h = (long)4;
    int i = get_global_id(0);

    (*dl_cell_n(f, i DL_ARGS(f))) += (*dl_cell_x(f, i DL_ARGS(f))) > 0.0f;
    (*dl_float_8_in(g, i, 4 DL_ARGS(g))) += (*dl_float_8_in(g, i, 0 DL_ARGS(g)));
    (*dl_float_4_in(h, i, 3 DL_ARGS(h))) = (*dl_float_4_in(h, i, 1 DL_ARGS(h))) + (*dl_cell_y(f, i DL_ARGS(f)));
    (*dl_tagged_c_n(t, i, (1) DL_ARGS(t))) += (int)(*dl_tagged_k(t, i DL_ARGS(t)));
}
