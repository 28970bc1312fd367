/* This file and the one that it includes begin with a byte order mark. */
// detect: on
// run: move structs float:0.5
#include "include/byte_order_mark.h"
__kernel void move(__global point *p, float dt)
{
    int i = get_global_id(0);
    p[i].x += p[i].w * dt;
}
