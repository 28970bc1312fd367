// run: go structs
typedef struct {
    int tag;
    struct {
        float x, y;
    };
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 4, 4);
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 8, 4);
}
static __global int *dl_cell_tag(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 9 type cell
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 8+4 write
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 10
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_cell_x(f, i DL_ARGS(f))) += 1.0f;
    (*dl_cell_y(f, i DL_ARGS(f))) = (*dl_cell_x(f, i DL_ARGS(f)));
    (*dl_cell_tag(f, i DL_ARGS(f)))++;
}
