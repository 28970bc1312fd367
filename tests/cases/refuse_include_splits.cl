typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[
#include "include/place.h"
    ].x = 1;
}
