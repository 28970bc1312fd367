// detect: on
// run: count structs words:1
// run: add structs words:1
/* Volatile arguments that only atomic functions take, or helpers that read them beside these. */
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
//DL-buffer: p arg 0 write aos bytes 16 line 18 type point
//DL-leaves: 0+4*4
//DL-structs: *
//DL-found: p[]
//DL-access: linear 1 12+4 read
//DL-access: linear 1 0+4 read write
//DL-end: count
#line 18
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
//DL-detected: 0 1
//DL-buffer: p arg 0 read aos bytes 16 line 28 type point
//DL-leaves: 0+4*4
//DL-structs: *
//DL-found: p[]
//DL-access: linear 1 4+4 read
//DL-end: add
#line 28
__kernel void add(__global point *p, __global volatile int *sums DL_PARAMS(p))
{
    add_to(sums + get_global_id(0) / 2, (*dl_point_y(p, get_global_id(0) DL_ARGS(p))));
}

/* It may wait for another. */
__kernel void wait(__global point *p, volatile __global int *flags)
{
    if (flags[get_global_id(0)])
        p[get_global_id(0)].x = 1;
}
