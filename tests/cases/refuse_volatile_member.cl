typedef struct {
    volatile int lock;
    int y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    while (f[0].lock)
        f[get_global_id(0)].y++;
}
