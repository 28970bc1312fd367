// run: go structs
typedef struct {
    float whole, part;
    int e;
} split;

//DL: AoS: f[global_size(0)] AOS2ASTA_split
//DL-table: 2
/* prelude */
static __global float *dl_split_part(__global const split *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 4, 4);
}
static __global float *dl_split_whole(__global const split *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
static __global int *dl_split_e(__global const split *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 7 type split
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 write
//DL-end: go
#line 8
__kernel void go(__global split *f DL_PARAMS(f))
{
    int i = get_global_id(0);
    float x = (*dl_split_part(f, i DL_ARGS(f))) + 0.5f;

    (*dl_split_part(f, i DL_ARGS(f))) = fract(x, dl_split_whole(f, i DL_ARGS(f)));
    (*dl_split_whole(f, i DL_ARGS(f))) += frexp(x, dl_split_e(f, i DL_ARGS(f)));
}
