// run: go structs int:3
#define SCALE 2
//DL: AoS: f[global_size(0)] AOS2ASTA_pair
#line 1 "include/kernel.h"

#line 1 "include/pair.h"

typedef struct {
    int x, y;
} pair;
#define PAIR_X(f, i) ((f)[i].x)
void pair_swap(__global pair *p)
{
    int x = p->x;

    p->x = p->y;
    p->y = x;
}
#line 3 "include/kernel.h"
#line 1 "include/cell.h"
#ifndef CELL_H
#define CELL_H
struct cell {
    float x;
    int k[2];
};
#define CELLS(n) (n)
#define CELL_STEP 2.0f
#define CELL_X(f, i) ((f)[i].x)
#endif
#line 4 "include/kernel.h"
#ifndef SCALE
#error SCALE is wanted
#endif
//DL-table: 2
/* prelude */
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
#line 6 "include/pair.h"
static DL_INLINE void dl_pair_swap(__global pair *p, dl_index dl_at_p DL_PARAMS(p))
{
    int x = (*dl_pair_x(p, dl_at_p DL_ARGS(p)));

    (*dl_pair_x(p, dl_at_p DL_ARGS(p))) = (*dl_pair_y(p, dl_at_p DL_ARGS(p)));
    (*dl_pair_y(p, dl_at_p DL_ARGS(p))) = x;
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 3 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go
#line 7 "include/kernel.h"
__kernel void go(__global pair *f, int k DL_PARAMS(f))
{
    ((*dl_pair_x(f, get_global_id(0) DL_ARGS(f)))) += SCALE * k;
    dl_pair_swap(f, (get_global_id(0)) DL_ARGS(f));
}
#line 5 "kernel_in_header.cl"
#line 1 "include/cell.h"
#ifndef CELL_H
#define CELL_H
struct cell {
    float x;
    int k[2];
};
#define CELLS(n) (n)
#define CELL_STEP 2.0f
#define CELL_X(f, i) ((f)[i].x)
#endif
#line 6 "kernel_in_header.cl"

__kernel void later(__global pair *f)
{
    f[get_global_id(0)].y = 5;
}
