typedef struct {
    float x, y;
} pair;
typedef struct {
    __global float *at;
} kept;

float outside(kept p);

//DL: AoS: f[]
__kernel void go(__global pair *f)
{
    kept p;

    p.at = &f->x;
    f->y = outside(p);
}
