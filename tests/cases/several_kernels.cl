// run: second structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void first(__global pair *f)
{
    f[get_global_id(0)].x += 1;
}

__kernel void plain(__global pair *f)
{
    f[get_global_id(0)].x += 2;
}

//DL: AoS: g[global_size(0)]
__kernel void second(__global pair *g)
{
    g[get_global_id(0)].x += 3;
    g[get_global_id(0)].y += 4;
}
