// run: go structs
typedef struct __attribute__((aligned(16))) {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global float *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 0, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 6 type pair
//DL-leaves: 0+4*2 8+8
//DL-structs: global_size(0)
//DL-gaps: 8+8
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 7
__attribute__((reqd_work_group_size(1, 1, 1)))
__kernel void
go(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) += 1.0f;
}
