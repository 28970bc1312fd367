// run: go structs words:2
// The copy of a helper has the pragmas that hold where the helper stands.
typedef struct {
    float a, b, c;
    int n;
} cell;
#pragma OPENCL FP_CONTRACT OFF
float sum(__global cell *p) { return p->a * p->b + p->c; }
#pragma OPENCL FP_CONTRACT ON

//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 0, 4);
}
static __global float *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 4, 4);
}
static __global float *dl_cell_c(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 8, 4);
}
#pragma OPENCL FP_CONTRACT OFF
#line 8
static DL_INLINE float dl_sum(__global cell *p, dl_index dl_at_p DL_PARAMS(p)) { return (*dl_cell_a(p, dl_at_p DL_ARGS(p))) * (*dl_cell_b(p, dl_at_p DL_ARGS(p))) + (*dl_cell_c(p, dl_at_p DL_ARGS(p))); }
#pragma OPENCL FP_CONTRACT ON
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: f arg 0 read aos bytes 16 line 11 type cell
//DL-leaves: 0+4*4
//DL-structs: *
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-access: linear 1 8+4 read
//DL-end: go
#line 12
__kernel void go(__global cell *f, __global float *out DL_PARAMS(f))
{
    int i = get_global_id(0);

    out[2 * i] = dl_sum(f, (i) DL_ARGS(f));
    out[2 * i + 1] = (*dl_cell_a(f, i DL_ARGS(f))) * (*dl_cell_b(f, i DL_ARGS(f))) + (*dl_cell_c(f, i DL_ARGS(f)));
}
