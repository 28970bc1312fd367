// Buffers in a struct that is handed on, by address and by value.
typedef struct {
    float x, y;
    int n;
} cell;
struct ctx {
    __global cell *cells;
    __global const float *rows;
    int n;
};
struct outer {
    struct ctx in;
    int k;
};

float at(const struct ctx *c, int i, int k)
{
    return c->rows[i * 4 + k];
}

void step(struct ctx *c, int i)
{
    __global cell *p = c->cells + i;

    c->cells[i].x += at(c, i, 1);
    p->y *= 2.0f;
    if (c->cells && c->cells != 0)
        (*c).cells[i].n++;
}

int whole(struct outer o, int i)
{
    return i < o.in.n ? o.in.cells[i].n + o.k : 0;
}

void bump(__global cell *c, int by)
{
    c->n += by;
}

//DL: AoS: f[n], g[n][4]
__kernel void go(__global cell *f, __global const float *g, __global int *out, int n)
{
    int i = get_global_id(0);
    struct ctx c = {f, g, n}, d;
    struct outer o;

    d.cells = f;
    d.rows = g;
    d.n = n;
    o = (struct outer){{f, g, n}, 3};
    step(&c, i);
    bump(&d.cells[i], whole(o, i) & 0xff);
    if (!i)
        d.cells->x = 0.5f;
    c = d;
    out[i] = c.cells[i].n + (int)c.rows[n - 1 - i] % 2 + whole(o, i) + (int)at(&o.in, i, 2 % 4);
    f[i].y = d.rows[4 * i + 3];
}
// run: go structs structs words:1 n
