typedef struct {
    float x, y;
} pair;
typedef struct {
    __global float *at;
} place;
typedef struct {
    __global float *at;
} kept;

void keep(place *p, __global pair *f)
{
    p->at = &f->y;
}

//DL: AoS: f[]
__kernel void go(__global pair *f)
{
    place p;

    keep(&p, f);
    f->x = 1.0f;
}

/* Who reads it shares the helper. */
__kernel void reads(__global pair *f)
{
    place p;

    keep(&p, f);
    *p.at = 2.0f;
}

/* What is in a buffer others may read. */
//DL: AoS: f[]
__kernel void stores(__global pair *f, __global kept *to)
{
    to->at = &f->y;
}
