// Buffers in a struct that is handed on, whose pointers are moved, replaced by others and null at times.
typedef struct {
    float x, y;
    int n;
} cell;
struct ctx {
    int n;
    __global cell *at;
    __global const cell *end, *best;
    __global const float *rows;
};
struct outer {
    int k;
    struct ctx in;
};

void skip(struct ctx *c, int by)
{
    c->at += by;
    c->rows += 4 * by;
}

void point(struct ctx *c, __global cell *to)
{
    c->at = to + 1;
    --c->at;
}

int count(struct ctx *c)
{
    int k = 0;

    for (; c->at < c->end; c->at++)
        k += c->at->n & 7;
    return k;
}

void bump(__global cell *c, int by)
{
    c->n += by;
}

void consider(struct ctx *c, __global const cell *p)
{
    if (!c->best || c->best->n < p->n || c->best == p)
        c->best = p;
}

int result(struct ctx c)
{
    __global const cell *q = c.best;

    if (c.best != 0 && q)
        return q->n + (int)(q - c.at) + (int)sizeof(*c.at);
    return q == c.best ? 1 : 2;
}

//DL: AoS: f[n], g[n][4]
__kernel void go(__global cell *f, __global const float *g, __global int *out, int n)
{
    int i = get_global_id(0);
    struct ctx c = {.n = n, .at = &f[i], .rows = g + 4}, d = {n};
    struct outer o = {3, {n, f + i, f + n, 0, g}};
    struct ctx two[2] = {{n, f}, {n, f + n - 1, .best = NULL}};
    __global cell *mine = f + i;

    c.rows -= 4;
    skip(&c, -i);
    c.at[i].x += c.rows[4 * i] + (c.at + n - i)[i - n].y;
    d.at = c.at + i;
    bump(d.at++, 5);
    (--d.at)->y *= 2.0f;
    if (two[c.at->n & 1].at && !d.best)
        mine->n ^= 1;
    point(&d, mine);
    *d.at = *mine;
    consider(&d, mine);
    o.in.end = &o.in.at[1];
    out[i] = result(d) + result(two[1]);
}
// run: go structs structs words:1 n
