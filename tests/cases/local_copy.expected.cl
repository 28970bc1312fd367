// run: go structs structs
typedef struct {
    float x;
    int k;
} cell;

//DL: AoS: in[global_size(0)] AOS2ASTA_cell, out[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.x = *DL_AT(float, dl_f, dl_i, 8, 0, 4);
    dl_s.k = *DL_AT(int, dl_f, dl_i, 8, 4, 4);
    return dl_s;
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(float, dl_f, dl_i, 8, 0, 4) = dl_s.x;
    *DL_AT(int, dl_f, dl_i, 8, 4, 4) = dl_s.k;
    return dl_s;
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 8 line 7 type cell
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+8 read
//DL-buffer: out arg 1 write aos bytes 8 line 7 type cell
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+8 write
//DL-access: linear 1 0+4 write
//DL-end: go
#line 8
__kernel void go(__global const cell *in, __global cell *out DL_PARAMS(in) DL_PARAMS(out))
{
    __local cell tile[4];
    int i = get_global_id(0), l = get_local_id(0) & 3;

    tile[l] = dl_cell_load(in, i DL_ARGS(in));
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l].k += 3;
    dl_cell_store(out, i DL_ARGS(out), tile[l]);
    (*dl_cell_x(out, i DL_ARGS(out))) = tile[l].x * 2.0f;
}
