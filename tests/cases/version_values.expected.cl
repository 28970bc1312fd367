// run: go structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 6 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 7
kernel_exec(1, int) void go(__global pair *f DL_PARAMS(f))
{
    int i = get_global_id(0);

    (*dl_pair_x(f, i DL_ARGS(f))) = __OPENCL_VERSION__ + __OPENCL_C_VERSION__ + CL_VERSION_1_0 + CL_VERSION_1_2;
    (*dl_pair_y(f, i DL_ARGS(f))) = __ENDIAN_LITTLE__;
    if (__OPENCL_VERSION__ >= CL_VERSION_1_1)
        (*dl_pair_y(f, i DL_ARGS(f))) += 4;
}
