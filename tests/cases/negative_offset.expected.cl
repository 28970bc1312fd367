// run: go structs structs n
typedef struct {
    float x;
    int k;
} cell;

//DL: AoS: in[n] AOS2ASTA_cell, out[n] AOS2ASTA_cell
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
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 8 line 7 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-buffer: out arg 1 write aos bytes 8 line 7 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-end: go
#line 8
__kernel void go(__global const cell *in, __global cell *out, int n DL_PARAMS(in) DL_PARAMS(out))
{
    int i = get_global_id(0);
    uint u = get_global_id(0);
    dl_index p = (i);

    (*dl_cell_x(out, i DL_ARGS(out))) = (i > 0 ? (*dl_cell_x(in, i - 1 DL_ARGS(in))) : 0.0f) + (i + 1 < n ? (*dl_cell_x(in, p + 1 DL_ARGS(in))) : 0.0f);
    if (u > 0)
        (*dl_cell_k(out, i DL_ARGS(out))) = (*dl_cell_k(in, u - 1u DL_ARGS(in))) + (*dl_cell_k(in, p + (-1) DL_ARGS(in))) + (*dl_cell_k(in, (p - 1) DL_ARGS(in))) + (*dl_cell_k(in, ((dl_index)(u) - 1u) DL_ARGS(in)));
}
