// run: go structs structs
typedef struct {
    int x, y;
} pair;
struct pair_ {
    int x, y;
};

//DL: AoS: f[global_size(0)], g[global_size(0)]
__kernel void go(__global pair *f, __global struct pair_ *g)
{
    int i = get_global_id(0);

    f[i].x = g[i].y;
    g[i].x = f[i].y;
}
