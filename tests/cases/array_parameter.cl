// run: go structs structs
typedef struct {
    int x, y;
} pair;

int get(__global const pair p[], int i)
{
    return p[i].x;
}

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair f[], __global pair g[16])
{
    int i = get_global_id(0);

    f[i].y += get(g, i);
}
