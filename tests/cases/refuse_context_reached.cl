// Members that stand for a buffer, in structs that are set where that can't be seen.
typedef struct {
    float x, y;
} cell;
struct ctx {
    __global cell *cells;
    int n;
};
struct outer {
    struct ctx in;
    int k;
};

void step(struct ctx *c, int i)
{
    c->cells[i].x += 1.0f;
}

void put(__global cell **to, __global cell *p)
{
    *to = p;
}

//DL: AoS: f[n]
__kernel void braces_left_out(__global cell *f, __global cell *g, int n)
{
    struct ctx c = {f, n};
    struct outer o = {g, n, 3};

    step(&c, get_global_id(0));
    step(&o.in, get_global_id(0));
}

//DL: AoS: f[n]
__kernel void as_another_type(__global cell *f, __global cell *g, int n)
{
    struct ctx c = {f, n};

    *(__global cell **)&c = g;
    step(&c, get_global_id(0));
}

//DL: AoS: f[n]
__kernel void by_address(__global cell *f, __global cell *g, int n)
{
    struct ctx c = {f, n};

    put(&c.cells, g);
    step(&c, get_global_id(0));
}

//DL: AoS: f[n]
__kernel void into_another(__global cell *f, __global cell *g, int n)
{
    struct ctx c = {f, n};

    c.cells += get_global_id(0);
    c.cells = n & 1 ? c.cells : g;
    step(&c, 0);
}

//DL: AoS: f[n], g[n]
__kernel void into_two(__global cell *f, __global cell *g, int n)
{
    struct ctx c = {f + 1, n};

    c.cells = g;
    step(&c, get_global_id(0));
}
