typedef struct {
    float x, y;
} pair;
typedef struct {
    __global pair *p[2];
} holder;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    holder h;

    h.p[0] = f + 1;
    h.p[0]->x = 1.0f;
}
