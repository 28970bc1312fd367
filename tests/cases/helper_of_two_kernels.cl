// run: second structs
typedef struct {
    int x, y;
} pair;

int sum(__global const pair *p)
{
    return p->x + p->y;
}

//DL: AoS: f[global_size(0)]
__kernel void first(__global pair *f)
{
    f[get_global_id(0)].x = sum(f);
}

//DL: AoS: g[global_size(0)]
__kernel void second(__global pair *g)
{
    int i = get_global_id(0);

    g[i].y = sum(g + i);
}
