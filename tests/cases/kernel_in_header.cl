// run: go structs int:3
#define SCALE 2
//DL: AoS: f[global_size(0)]
#include "include/kernel.h"
#include "include/cell.h" /* which comes but once */

__kernel void later(__global pair *f)
{
    f[get_global_id(0)].y = 5;
}
