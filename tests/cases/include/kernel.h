typedef struct {
    int x, y;
} pair;
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x = 1;
}
