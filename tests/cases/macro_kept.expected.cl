// options: -DSCALE=3.0f
// run: go structs
#define OFFSET (2)
#define SQUARE(x) ((x) * (x))
typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global float *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 8 line 9 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 write
//DL-end: go
#line 10
__kernel void go(__global pair *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) = SCALE + OFFSET;
    (*dl_pair_y(f, i DL_ARGS(f))) = SQUARE(SCALE) + (((*dl_pair_x(f, i DL_ARGS(f)))) * ((*dl_pair_x(f, i DL_ARGS(f)))));
    barrier(CLK_LOCAL_MEM_FENCE);
}
