typedef struct {
    float x, y;
} pair;

typedef struct {
    __global float *at;
} shared;

void keep(shared *p, __global pair *f)
{
    p->at = &f->y;
}

//DL: AoS: f[]
__kernel void go(__global pair *f)
{
    shared p;

    keep(&p, f);
    f->x = 1.0f;
}

/* Who reads it shares the helper. */
__kernel void reads(__global pair *f)
{
    shared p;

    keep(&p, f);
    *p.at = 2.0f;
}

typedef struct {
    __global float *at;
} stored;

/* What is in a buffer others may read. */
//DL: AoS: f[]
__kernel void stores(__global pair *f, __global stored *to)
{
    to->at = &f->y;
}

/* It has another name in a union, which has none. */
typedef struct {
    union {
        __global float *at;
        ulong bits;
    };
} named_twice;

//DL: AoS: f[]
__kernel void in_a_union(__global pair *f)
{
    named_twice p;

    p.at = &f->x;
    f->y = p.bits & 3;
}

typedef struct {
    union {
        struct {
            __global float *at;
        } p;
        ulong bits;
    };
} seen_twice;

//DL: AoS: f[]
__kernel void around_it(__global pair *f)
{
    seen_twice s;

    s.p.at = &f->x;
    f->y = s.bits & 3;
}

typedef union {
    __global float *at;
    ulong bits;
} either;

//DL: AoS: f[]
__kernel void of_a_union(__global pair *f)
{
    either p;

    p.at = &f->x;
    f->y = p.bits & 3;
}

typedef struct {
    __global float *at;
} one_type;
typedef struct {
    __global float *at;
} other_type;

//DL: AoS: f[]
__kernel void cast(__global pair *f)
{
    one_type p;
    other_type q;

    q.at = &f->x;
    p = *(one_type *)&q;
    f->y = p.at != 0;
}

typedef struct {
    __global float *at;
} valued;

//DL: AoS: f[]
__kernel void value(__global pair *f)
{
    valued p;
    __global float *at;

    p.at = &f->y;
    at = p.at = &f->x;
    f->y = *at;
}

typedef struct {
    __global float *at;
} changed;

//DL: AoS: f[]
__kernel void changes(__global pair *f)
{
    changed p;

    p.at = &f->x;
    p.at += 1;
    f->x = sizeof p;
}

typedef struct {
    __global float *at;
} stepped;

//DL: AoS: f[]
__kernel void steps(__global pair *f, int n)
{
    stepped p[2];

    p[0].at = &f[n++].x;
    f->x = n;
}
