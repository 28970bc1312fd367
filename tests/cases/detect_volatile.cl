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

/* It may wait for another. */
__kernel void wait(__global point *p, volatile __global int *flags)
{
    if (flags[get_global_id(0)])
        p[get_global_id(0)].x = 1;
}
