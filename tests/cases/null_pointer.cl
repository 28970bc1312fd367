// run: go structs structs words:1 n
// run: compare structs structs words:1 n
typedef struct {
    float depth;
    int id;
    struct {
        int a, b;
    } marks[2];
} hit;

int id_of(__global const hit *h)
{
    return h ? h->id : -1;
}

__global const hit *nearer(__global const hit *best, __global const hit *h)
{
    if (!best || h->depth < best->depth)
        return h;
    return best;
}

//DL: AoS: f[n], g[n]
__kernel void go(__global hit *f, __global const hit *g, __global int *out, int n)
{
    int i = get_global_id(0);
    __global const hit *best = 0, *last = NULL;
    __global hit *mine = i & 1 ? &f[i] : 0;

    for (int k = 0; k < n; k++) {
        best = nearer(best, &g[k]);
        if (g[k].depth > 0.5f && (last == 0 || g[k].depth > last->depth))
            last = g + k;
    }
    if (best != NULL && last)
        out[i] = best->id ^ last->id;
    else if (!last)
        out[i] = -3;
    out[i] += id_of(best) + id_of(last) + id_of(0);
    if (mine)
        mine->id = id_of(mine) + (best == last);
    mine = 0;
    out[i] += mine == 0 ? 5 : mine->id;
}

/* Helpers that compare pointers into a buffer with one that is null in one of the calls. */
__global const hit *nearest(__global const hit *g, int n, float from,
                            __global const hit *ignored)
{
    __global const hit *best = NULL;

    for (int k = 0; k < n; k++)
        if (&g[k] != ignored && g[k].depth > from && (!best || g[k].depth < best->depth))
            best = &g[k];
    return best;
}

int differ(__global const hit *other, __global const hit *h)
{
    return h == other ? 3 : other ? h->id - other->id : h->id;
}

//DL: AoS: f[n], g[n]
__kernel void compare(__global hit *f, __global const hit *g, __global int *out, int n)
{
    int i = get_global_id(0);
    __global const hit *first = nearest(g, n, f[i].depth, NULL), *second = 0;

    if (first)
        second = nearest(g, n, first->depth, first);
    out[i] = first ? differ(0, first) : -1;
    out[i] += second ? differ(first, second) + differ((__global const hit *)0, second) : -2;
    f[i].id += differ(NULL, f + i);
}
