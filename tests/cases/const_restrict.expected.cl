// run: go structs structs
typedef struct {
    float x;
    int k;
} cell;

//DL: AoS: in[global_size(0)] AOS2ASTA_cell, out[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_cell_k(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 8 line 7 type cell
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-buffer: out arg 1 write aos bytes 8 line 7 type cell
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-end: go
#line 8
__kernel void go(const __global cell *restrict in, __global cell *restrict const out DL_PARAMS(in) DL_PARAMS(out))
{
    const int i = get_global_id(0);
    dl_index p = (i);

    (*dl_cell_x(out, i DL_ARGS(out))) = (*dl_cell_x(in, p DL_ARGS(in))) * 2.0f;
    (*dl_cell_k(out, i DL_ARGS(out))) = (*dl_cell_k(in, p DL_ARGS(in)));
}
