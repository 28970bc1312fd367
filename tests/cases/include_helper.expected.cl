// run: go structs
#include "include/cell_helpers.h"

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const struct cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
static __global int *dl_cell_k(__global const struct cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 12, 4 + dl_k0 * 4, 4);
}
#line 4 "include/cell_helpers.h"
static DL_INLINE inline float dl_cell_bump(__global struct cell *p, dl_index dl_at_p DL_PARAMS(p), int k)
{
    ((*dl_cell_x(p, (dl_at_p) DL_ARGS(p)))) += 1.0f;
    return ((*dl_cell_x(p, (dl_at_p) DL_ARGS(p)))) + (*dl_cell_k(p, dl_at_p, (k) DL_ARGS(p)));
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 4 type struct cell
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+8 read walks
//DL-access: linear 1 8+4 write
//DL-end: go
#line 5 "include_helper.cl"
__kernel void go(__global struct cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    float was = dl_cell_bump(f, (i) DL_ARGS(f), i & 1);

    (*dl_cell_k(f, i, (1) DL_ARGS(f))) = (int)was;
}
