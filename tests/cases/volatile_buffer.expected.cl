// run: go structs structs structs n
typedef struct {
    int n;
    float v[3];
    struct {
        float x, y;
    } in;
} cell;

void add(__global cell *c, float by)
{
    c->v[1] += by;
}
float late(__global volatile const cell *c)
{
    return c->v[0] + c->in.y;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_cell, g[global_size(0)] AOS2ASTA_cell, h[global_size(0)][2] AOS2ASTA_float_2
//DL-table: 2
/* prelude */
static __global volatile float *dl_cell_v_volatile(__global volatile const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT_IN(__global volatile, float, dl_f, dl_i, 24, 4 + dl_k0 * 4, 4);
}
static __global volatile float *dl_cell_in_y_volatile(__global volatile const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__global volatile, float, dl_f, dl_i, 24, 20, 4);
}
#line 14
static DL_INLINE float dl_late(__global volatile const cell *c, dl_index dl_at_c DL_PARAMS(c))
{
    return (*dl_cell_v_volatile(c, dl_at_c, (0) DL_ARGS(c))) + (*dl_cell_in_y_volatile(c, dl_at_c DL_ARGS(c)));
}
static __global float *dl_cell_v(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 24, 4 + dl_k0 * 4, 4);
}
#line 10
static DL_INLINE void dl_add(__global cell *c, dl_index dl_at_c DL_PARAMS(c), float by)
{
    (*dl_cell_v(c, dl_at_c, (1) DL_ARGS(c))) += by;
}
static __global volatile int *dl_cell_n_volatile(__global volatile const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__global volatile, int, dl_f, dl_i, 24, 0, 4);
}
static __global volatile float *dl_cell_in_x_volatile(__global volatile const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT_IN(__global volatile, float, dl_f, dl_i, 24, 16, 4);
}
static __global volatile float *dl_float_2_in_volatile(__global volatile const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global volatile float *)dl_f + (dl_i * 2 + dl_e);
#else
    return DL_AT_IN(__global volatile, float, dl_f, dl_i, 8, dl_e * 4, 4);
#endif
}
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 24, 0, 4);
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 24 line 19 type cell
//DL-leaves: 0+4*6
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+4 read write atomic
//DL-access: linear 1 16+4 write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 20+4 read
//DL-access: linear 1 4+12 read
//DL-access: linear 1 12+4 read
//DL-buffer: g arg 1 write aos bytes 24 line 19 type cell
//DL-leaves: 0+4*6
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 20+4 read
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 0+4 read write
//DL-buffer: h arg 2 write aos bytes 8 line 19 type float
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: go
#line 20
__kernel void go(__global volatile cell *f, __global cell *g, volatile __global float *h, int n DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{ dl_index dl_w_h = (long)2;
    int i = get_global_id(0);
    dl_index c = (i);

    (*dl_cell_n_volatile(f, c DL_ARGS(f))) += 3;
    atomic_add(dl_cell_n_volatile(f, i DL_ARGS(f)), i);
    (*dl_cell_in_x_volatile(f, c DL_ARGS(f))) = dl_late(g, (i) DL_ARGS(g)) + dl_late(f, (i) DL_ARGS(f));
    dl_add(g, (i) DL_ARGS(g), (*dl_cell_v_volatile(f, i, (i % 3) DL_ARGS(f))));
    (*dl_float_2_in_volatile(h, i, 0 DL_ARGS(h))) += (*dl_float_2_in_volatile(h, i, 1 DL_ARGS(h))) + (*dl_cell_v_volatile(f, c, (2) DL_ARGS(f)));
    (*dl_cell_n(g, i DL_ARGS(g))) += (*dl_float_2_in_volatile(h, i, 0 DL_ARGS(h))) > 1.0f;
}
