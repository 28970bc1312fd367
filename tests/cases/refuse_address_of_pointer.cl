typedef struct {
    float x, y;
} pair;

void move(__global pair **p) { ++*p; }

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    __global pair *p = f;

    move(&p);
    p->x = 1.0f;
}
