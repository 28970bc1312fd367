typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)
__kernel void go(__global pair *f, int n, float x)
{
    f[get_global_id(0)].x = n;
}
