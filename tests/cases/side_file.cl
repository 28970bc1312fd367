// run: go structs structs
typedef struct {
    int x, y;
} pair;
#define N global_size(0)

//DL: AoS: f[12345]
__kernel void go(__global pair *f, __global pair *g)
{
    f[get_global_id(0)].x = g[get_global_id(0)].y;
}
__kernel void other(__global pair *f)
{
    f->x = 1;
}
