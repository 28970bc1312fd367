typedef struct {
    int x, y;
} place;
int helped(__global place *p)
{
    p->x = 1;
    return __COUNTER__;
}
//DL: AoS: f[global_size(0)]
__kernel void go(__global place *f)
{
    f[get_global_id(0)].y = helped(f + get_global_id(0)) + __COUNTER__;
}
