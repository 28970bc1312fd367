typedef struct {
    int x, y;
} pair;

//DL: aos: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x = 1;
}
