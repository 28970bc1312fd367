// run: go structs
#include "include/cell.h"
#include "include/cell.h"

//DL: AoS: f[CELLS(global_size(0))]
__kernel void go(__global struct cell *f)
{
    CELL_X(f, get_global_id(0)) += CELL_STEP;
}
