typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n * 1.5]
__kernel void go(__global pair *f, int n, float x)
{
    f[get_global_id(0)].x = n;
}
