// options: -DWANTED=110
// run: go structs
#ifndef __PAIR_H__
#define __PAIR_H__
typedef struct {
    int x, y;
} pair;
#endif
#if defined(__VENDOR_COMPILER__) && __VENDOR_COMPILER__ > 3
#define STEP 2
#elif __OPENCL_VERSION__ >= WANTED
#define STEP 3
#endif

//DL: AoS: f[global_size(0)] AOS2ASTA_pair
//DL-table: 2
/* prelude */
#ifdef DL_TILING
#if defined(__VENDOR_COMPILER__) && __VENDOR_COMPILER__ > 3
#error dl-annotate saw another device
#endif
#if __OPENCL_VERSION__ >= 110
#else
#error dl-annotate saw another device
#endif
#if defined(cl_khr_fp64) && 1 && !defined(UNWANTED)
#else
#error dl-annotate saw another device
#endif
#endif
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
//DL-buffer: f arg 0 write aos bytes 8 line 15 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 16
__kernel void go(__global pair *f DL_PARAMS(f))
{
    (*dl_pair_x(f, get_global_id(0) DL_ARGS(f))) += STEP;

    (*dl_pair_y(f, get_global_id(0) DL_ARGS(f))) += 1;

}
