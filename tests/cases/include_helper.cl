// run: go structs
#include "include/cell_helpers.h"

//DL: AoS: f[global_size(0)]
__kernel void go(__global struct cell *f)
{
    int i = get_global_id(0);
    float was = cell_bump(f + i, i & 1);

    f[i].k[1] = (int)was;
}
