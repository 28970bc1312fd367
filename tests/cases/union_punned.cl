typedef struct {
    int tag;
    union {
        int i;
        float f;
    };
    union {
        uint u;
        float v;
    } w[2];
} cell;

void bump(__global cell *c, cell *to)
{
    (*c).f += 1;
    c->w[1].v += 0.5f;
    *to = c[0];
}
cell changed(cell c, int by)
{
    c.f = by;
    c.w[1].v = by;
    return c;
}

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global cell *f, __global const cell *g)
{
    int i = get_global_id(0), k = 0;
    cell copy = f[i];

    for (__global const cell *r = g + i / 2, *e = g + i; r < e; r++)
        copy.tag += (int)(e - r) + (int)(r->f * 16.0f);
    bump(&f[i], &copy);
    f[i].tag = i & 3 ? as_uint(g[i].f) >> 13 : copy.i;
    f[i] = changed(f[i], f[i].tag & 0xff);
    copy.w[0].u += f[i].w[1].u;
    f[i].w[0].v = f[i].f;
    f[i].f += k;
    f[i].w[1].u ^= copy.w[0].u;
}
// run: go structs structs
