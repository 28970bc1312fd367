// run: go structs
typedef struct {
    int x, y, k[2];
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 0, 4);
}
static __global int *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 4, 4);
}
static __global int *dl_cell_k(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 16, 8 + dl_k0 * 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 6 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 12+4 write
//DL-end: go
#line 7
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_cell_x(f, i DL_ARGS(f)))
 += (*dl_cell_y(f, 
i DL_ARGS(f)))

;
    (*dl_cell_k(f, i, (1) DL_ARGS(f)))
 = (*dl_cell_x(f, i DL_ARGS(f)))
;
}
