// run: go structs structs n
typedef struct {
    float x, y;
} pair;
typedef struct {
    int kind;
    pair in;
    float m[3];
    pair many[2];
} cell;

__global cell *at(__global cell *f, int i)
{
    return &f[i];
}

static inline __global const cell *wrapped(__global const cell *f, int i, int n)
{
    __global const cell *p = f + i;

    if (i >= n)
        p = p - n;
    return p;
}

__global pair *inner(__global cell *c)
{
    return &c->in;
}

__global const float *row(int k, __global const cell *c)
{
    return k & 1 ? c->m + 1 : c->m;
}

__global pair *inner_at(__global cell *f, int i)
{
    return inner(at(f, i));
}

//DL: AoS: f[n], g[n]
__kernel void go(__global cell *f, __global const cell *g, int n)
{
    int i = get_global_id(0);
    __global cell *mine = at(f, i);

    at(f, i)->kind += 1;
    mine->in.x = wrapped(g, i + 1, n)->in.y;
    inner(mine)->y += row(i, wrapped(g, i + n / 2, n))[1];
    inner_at(f, i)->x -= *row(i, g + i);
    *at(f, i) = *mine;
    f[i].kind ^= at(f, i) == mine;
}
