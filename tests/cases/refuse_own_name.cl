typedef struct {
    int x, name;
} place;
int named(__global place *p)
{
    p->x = 1;
    return sizeof(__func__) + __func__[0];
}
//DL: AoS: f[global_size(0)]
__kernel void go(__global place *f)
{
    f[get_global_id(0)].name = named(f + get_global_id(0));
}
