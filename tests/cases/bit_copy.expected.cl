// run: go structs
typedef struct {
    float x;
    uint u;
    float4 v;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global unsigned int *dl_cell_u(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(unsigned int, dl_f, dl_i, 32, 4, 4);
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 32, 0, 4);
}
static __global float4 *dl_cell_v(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 32, 16, 16);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 32 line 8 type cell
//DL-leaves: 0+4*2 8+8 16+16
//DL-structs: global_size(0)
//DL-gaps: 8+8
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 read write
//DL-access: unknown 16+16 write
//DL-access: linear 1 16+16 read
//DL-end: go
#line 9
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_cell_u(f, i DL_ARGS(f))) ^= as_uint((*dl_cell_x(f, i DL_ARGS(f))));
    (*dl_cell_x(f, i DL_ARGS(f))) = as_float(as_uint((*dl_cell_x(f, i DL_ARGS(f)))) & 0xfffff000u);
    (*dl_cell_v(f, as_int(as_float(i)) DL_ARGS(f))) = as_float4(as_uint4((*dl_cell_v(f, i DL_ARGS(f)))) | 1u);
}
