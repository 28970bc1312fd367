typedef struct {
    float x, y;
} pair;
typedef struct {
    __global pair *p;
} holder;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    holder h;

    h.p = f + 1;
    h.p->x = 1.0f;
}
