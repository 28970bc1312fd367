// run: go structs
// run: over structs words:1
/* Kernels are declared before they are defined, here and in a header: what declares them goes. */
#line 1 "include/declared_kernel.h"
typedef struct {
    int x, y;
} pair;
 
int unused(int);
#line 5 "declared_kernel.cl"
#define GLOBAL __global




//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
//DL-kernel: go 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 10 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 write
//DL-end: go
#line 11
__kernel void go(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) = 1;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: over 2
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 8 line 16 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read
//DL-end: over
#line 17
__kernel void over(__global pair *f, __global int *sums DL_PARAMS(f))
{
    sums[get_global_id(0)] = (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) + (*dl_pair_y(f, get_global_id(0) DL_ARGS(f)));
}
