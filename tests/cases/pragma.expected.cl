// options: -DWAYS=4
// run: go structs
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct {
    float v[4];
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_v(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_i, 16, 0 + dl_k0 * 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 8 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+16 read write walks loops 1 counted 1 rounds 4
//DL-end: go
#line 9
__kernel void go(__global cell *f DL_PARAMS(f))
{
    int i = get_global_id(0);

#pragma unroll WAYS
    for (int k = 0; k < WAYS; k++)
        (*dl_cell_v(f, i, (k) DL_ARGS(f))) += k;
}
