typedef struct {
    float x;
    half h;
    short tag;
    half many[4];
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global half *dl_cell_h(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(half, dl_f, dl_i, 16, 4, 2);
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 0, 4);
}
static void dl_cell_many_vstore_half2(float2 dl_v, dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    vstore_half(dl_v.s0, 0, DL_ANY_AT(half, dl_f, dl_i, 16, 8 + dl_k0 * 2 + dl_o * 4, 2));
    vstore_half(dl_v.s1, 0, DL_ANY_AT(half, dl_f, dl_i, 16, 10 + dl_k0 * 2 + dl_o * 4, 2));
}
static float2 dl_cell_many_vload_half2(dl_index dl_o, __global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return (float2)(vload_half(0, DL_ANY_AT(half, dl_f, dl_i, 16, 8 + dl_k0 * 2 + dl_o * 4, 2)), vload_half(0, DL_ANY_AT(half, dl_f, dl_i, 16, 10 + dl_k0 * 2 + dl_o * 4, 2)));
}
static __global short *dl_cell_tag(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 16, 6, 2);
}
//DL-kernel: go 1
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 16 line 8 type cell
//DL-leaves: 0+4 4+2*6
//DL-structs: global_size(0)
//DL-access: linear 1 4+2 read write
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+8 read write
//DL-access: linear 1 6+2 read write
//DL-end: go
#line 9
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    float v = vload_half(0, dl_cell_h(f, i DL_ARGS(f)));

    (*dl_cell_x(f, i DL_ARGS(f))) += v;
    vstore_half_rte(v * 1.5f, 0, dl_cell_h(f, i DL_ARGS(f)));
    dl_cell_many_vstore_half2(dl_cell_many_vload_half2(1, f, i, 0 DL_ARGS(f)).yx + (*dl_cell_x(f, i DL_ARGS(f))), 0, f, i, 0 DL_ARGS(f));
    (*dl_cell_tag(f, i DL_ARGS(f))) ^= 3;
}
// run: go structs
