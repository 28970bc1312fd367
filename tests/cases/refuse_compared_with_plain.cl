typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f, __global pair *g)
{
    f[get_global_id(0)].x = f + 1 == g;
}
