// detect: on
// run: swap structs words:2 words:2 n
/* Of two buffers that one variable can point into, neither can be; the third is. */
typedef struct {
    int x, y;
} pair;

int both(__global const pair *p)
{
    return p->x + p->y;
}

__kernel void swap(__global pair *f, __global const pair *g, __global pair *h, int n)
{
    int i = get_global_id(0);
    __global const pair *q = g + i;

    for (; q < g + n; q += 2)
        f[i].x += both(q);
    q = n > 3 ? h : h + i;
    f[i].y = q->y + (int)((ulong)q & 1);
}
