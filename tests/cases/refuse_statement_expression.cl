typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    __global pair *p = f;
    __global pair *q = ({ p = f + 1; });

    q->x = 1;
}
