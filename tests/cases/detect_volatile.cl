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

__kernel void count(__global point *p, volatile __global uint *hits)
{
    int i = get_global_id(0);

    if (p[i].w & 1)
        atomic_inc(hits);
    atomic_add(&hits[i], 2u);
    p[i].x += p[i].w;
}

__kernel void add(__global point *p, __global volatile int *sums)
{
    add_to(sums + get_global_id(0) / 2, p[get_global_id(0)].y);
}

/* Read once, and written: nothing waits. */
__kernel void once(__global point *p, volatile __global const int *order,
                   volatile __global int *out)
{
    int i = get_global_id(0);

    p[i].x += order[i];
    for (int k = 0; k < 2; k++)
        out[2 * i + k] = p[i].y;
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
