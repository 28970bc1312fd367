// run: go structs
#include "include/cell.h"
#include "include/cell.h"

//DL: AoS: f[CELLS(global_size(0))] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const struct cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 5 type struct cell
//DL-leaves: 0+4*3
//DL-structs: (global_size(0))
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 6
__kernel void go(__global struct cell *f DL_PARAMS(f))
{
    ((*dl_cell_x(f, get_global_id(0) DL_ARGS(f)))) += CELL_STEP;
}
