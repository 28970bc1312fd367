// run: go structs
typedef float real;
struct base {
    real x;
    real v[2];
};
typedef struct base base_t;
typedef base_t cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
static __global float *dl_cell_v(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 12, 4 + dl_k0 * 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 10 type cell
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 write
//DL-end: go
#line 11
__kernel void go(__global cell *f DL_PARAMS(f))
{
    dl_index p = (get_global_id(0));

    (*dl_cell_x(f, p DL_ARGS(f))) += (real)1;
    (*dl_cell_v(f, p, (1) DL_ARGS(f))) = (*dl_cell_x(f, p DL_ARGS(f)));
}
