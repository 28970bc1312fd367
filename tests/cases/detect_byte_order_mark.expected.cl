/* This file and the one that it includes begin with a byte order mark. */
// detect: on
// run: move structs float:0.5
#include "include/byte_order_mark.h"
//DL: AoS: p[] AOS2ASTA_point
//DL-table: 2
/* prelude */
static __global float *dl_point_x(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 0, 4);
}
static __global float *dl_point_w(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 12, 4);
}
//DL-kernel: move 2
//DL-sums: contractable
//DL-detected: 0
//DL-buffer: p arg 0 write aos bytes 16 line 5 type point
//DL-leaves: 0+4*4
//DL-structs: *
//DL-found: p[]
//DL-members: x 0+4*1 y 4+4*1 z 8+4*1 w 12+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 12+4 read
//DL-end: move
#line 5
__kernel void move(__global point *p, float dt DL_PARAMS(p))
{
    int i = get_global_id(0);
    (*dl_point_x(p, i DL_ARGS(p))) += (*dl_point_w(p, i DL_ARGS(p))) * dt;
}
