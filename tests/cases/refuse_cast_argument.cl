typedef struct {
    int x, y;
} pair;
typedef struct {
    float x, y;
} other;

//DL: AoS: f[]
__kernel void two_types(__global void *f)
{
    ((__global pair *)f)->x = 1;
    ((__global other *)f)->x = 1.0f;
}

//DL: AoS: f[]
__kernel void words(__global uint *f)
{
    ((__global pair *)f)->x = 1;
    f[1] = 2;
}

void set(__global void *f)
{
    ((__global pair *)f)->x = 1;
}

//DL: AoS: f[]
__kernel void handed_on(__global void *f)
{
    set(f);
}

//DL: AoS: f[]
__kernel void through_bytes(__global void *f)
{
    ((__global pair *)((__global uchar *)f + 4))->x = 1;
}

//DL: AoS: f[]
__kernel void through_integer(__global void *f)
{
    ((__global pair *)(ulong)f)->x = 1;
}

//DL: AoS: f[]
__kernel void waits(__global void *f)
{
    ((__global volatile pair *)f)->x = 1;
}

//DL: AoS: f[]
__kernel void tested(__global void *f)
{
    if (f)
        ((__global pair *)f)->x = 1;
}

//DL: AoS: f[]
__kernel void twice(__global uchar *f)
{
    ((__global pair *)(__global other *)f)->x = 1;
}
