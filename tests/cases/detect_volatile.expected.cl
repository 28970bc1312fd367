// detect: on
// run: count structs words:1
// run: add structs words:1
// run: once structs words:1 words:2
/* Volatile arguments that only atomic functions take, or helpers that read them beside these, or that are read once. */
typedef struct {
    int x, y, z, w;
} point;

void add_to(volatile __global int *sum, int v)
{
    int old;

    do
        old = *sum;
    while (atomic_cmpxchg(sum, old, old + v) != old);
}

//DL: AoS: p[] AOS2ASTA_point
//DL-table: 2
/* prelude */
static __global int *dl_point_w(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 12, 4);
}
static __global int *dl_point_x(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 0, 4);
}
//DL-kernel: count 2
//DL-sums: exact
//DL-detected: 0 1
//DL-buffer: p arg 0 write aos bytes 16 line 19 type point
//DL-leaves: 0+4*4
//DL-structs: *
//DL-found: p[]
//DL-members: x 0+4*1 y 4+4*1 z 8+4*1 w 12+4*1
//DL-access: linear 1 12+4 read
//DL-access: linear 1 0+4 read write
//DL-end: count
#line 19
__kernel void count(__global point *p, volatile __global uint *hits DL_PARAMS(p))
{
    int i = get_global_id(0);

    if ((*dl_point_w(p, i DL_ARGS(p))) & 1)
        atomic_inc(hits);
    atomic_add(&hits[i], 2u);
    (*dl_point_x(p, i DL_ARGS(p))) += (*dl_point_w(p, i DL_ARGS(p)));
}

//DL: AoS: p[] AOS2ASTA_point
static __global int *dl_point_y(__global const point *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 4, 4);
}
//DL-kernel: add 2
//DL-sums: exact
//DL-draws: slots
//DL-detected: 0 1
//DL-buffer: p arg 0 read aos bytes 16 line 29 type point
//DL-leaves: 0+4*4
//DL-structs: *
//DL-found: p[]
//DL-members: x 0+4*1 y 4+4*1 z 8+4*1 w 12+4*1
//DL-access: linear 1 4+4 read
//DL-end: add
#line 29
__kernel void add(__global point *p, __global volatile int *sums DL_PARAMS(p))
{
    add_to(sums + get_global_id(0) / 2, (*dl_point_y(p, get_global_id(0) DL_ARGS(p))));
}

/* Read once, and written: nothing waits. */
//DL: AoS: p[] AOS2ASTA_point, out[][2] AOS2ASTA_int_2
static __global volatile int *dl_int_2_in_volatile(__global volatile const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global volatile int *)dl_f + (dl_i * 2 + dl_e);
#else
    return DL_AT_IN(__global volatile, int, dl_f, dl_i, 8, dl_e * 4, 4);
#endif
}
//DL-kernel: once 3
//DL-sums: exact
//DL-detected: 0 1 2
//DL-buffer: p arg 0 write aos bytes 16 line 35 type point
//DL-leaves: 0+4*4
//DL-structs: *
//DL-found: p[]
//DL-members: x 0+4*1 y 4+4*1 z 8+4*1 w 12+4*1
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-buffer: out arg 2 write aos bytes 8 line 36 type int
//DL-leaves: 0+4*2
//DL-structs: *
//DL-found: out[][2]
//DL-access: linear 1 0+8 write walks loops 1 counted 1 rounds 2
//DL-end: once
#line 35
__kernel void once(__global point *p, volatile __global const int *order,
                   volatile __global int *out DL_PARAMS(p) DL_PARAMS(out))
{ dl_index dl_w_out = (long)2;
    int i = get_global_id(0);

    (*dl_point_x(p, i DL_ARGS(p))) += order[i];
    for (int k = 0; k < 2; k++)
        (*dl_int_2_in_volatile(out, i, k DL_ARGS(out))) = (*dl_point_y(p, i DL_ARGS(p)));
}

int look(volatile __global int *flags, int i)
{
    return flags[i];
}

/* These may wait for another. */
__kernel void wait(__global point *p, volatile __global int *flags)
{
    while (flags[get_global_id(0)])
        ;
    p[get_global_id(0)].x = 1;
}

__kernel void wait_in_helper(__global point *p, volatile __global int *flags)
{
    for (int k = 0; k < 1000 && look(flags, get_global_id(0)); k++)
        p[get_global_id(0)].x = 1;
}

__kernel void wait_by_goto(__global point *p, volatile __global int *flags)
{
again:
    p[get_global_id(0)].x = 1;
    if (flags[0])
        goto again;
}
