typedef struct {
    int x, y;
} pair;
int sum(__global pair *p)
{
    int halved = p->x / 2;

    return halved + p->y;
}
#define halved 3

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x = sum(f);
}
