#pragma once
#include "pair.h"
#include "cell.h"
#ifndef SCALE
#error SCALE is wanted
#endif
__kernel void go(__global pair *f, int k)
{
    PAIR_X(f, get_global_id(0)) += SCALE * k;
    pair_swap(&f[get_global_id(0)]);
}
