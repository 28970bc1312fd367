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

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x += STEP;
#if defined(cl_khr_fp64) && defined WANTED && !defined(UNWANTED)
    f[get_global_id(0)].y += 1;
#endif
}
