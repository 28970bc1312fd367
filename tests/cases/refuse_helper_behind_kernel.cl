typedef struct {
    int x, y;
} pair;
int sum(__global pair *p);

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x = sum(f);
}
int late(int x) { return x; }
int sum(__global pair *p)
{
    return late(p->x);
}
