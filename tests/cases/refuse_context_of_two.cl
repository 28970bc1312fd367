typedef struct {
    float x, y;
} cell;
struct ctx {
    __global cell *cells;
    int n;
};

void other(struct ctx *c, __global cell *g)
{
    c->cells = g;
}

void step(struct ctx *c, int i)
{
    c->cells[i].x += 1.0f;
}

//DL: AoS: f[n]
__kernel void go(__global cell *f, __global cell *g, int n)
{
    struct ctx c = {f, n};

    other(&c, g);
    step(&c, get_global_id(0));
}
