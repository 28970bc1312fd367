#include "pair.h"

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);

    f[i].x -= PAIR_X(f, i) / 2 + f[i].y;
}
