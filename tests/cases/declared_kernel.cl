// run: go structs
// run: over structs words:1
/* Kernels are declared before they are defined, here and in a header: what declares them goes. */
#include "include/declared_kernel.h"
#define GLOBAL __global

__kernel void go(GLOBAL pair *f)
    ;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x = 1;
}

//DL: AoS: f[global_size(0)]
__kernel void over(__global pair *f, __global int *sums)
{
    sums[get_global_id(0)] = f[get_global_id(0)].x + f[get_global_id(0)].y;
}
