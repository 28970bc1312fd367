// Views of members that are not bytes one by one, or that go where they can't be followed.
typedef struct {
    int n;
    uint v[8];
    uchar c[16];
} cell;

uint wide(__global const void *any)
{
    __global const uint *w = any;

    return w[0];
}

__global const uchar *behind(__global const void *any)
{
    __global const uchar *c = any;

    return c + 1;
}

uchar either(__global const cell *f, int k)
{
    __global const uchar *b = f->c;

    if (k & 1)
        b = (__global const uchar *)f->v;
    return b[k];
}

//DL: AoS: f[]
__kernel void words(__global cell *f)
{
    ((__global uint *)f[get_global_id(0)].c)[0] = 1;
}

//DL: AoS: f[]
__kernel void shorts(__global cell *f)
{
    ((__global ushort *)f[get_global_id(0)].v)[3] = 1;
}

//DL: AoS: f[]
__kernel void through_void(__global cell *f)
{
    f[get_global_id(0)].n = wide(f[get_global_id(0)].v);
}

//DL: AoS: f[]
__kernel void returned(__global cell *f)
{
    f[get_global_id(0)].n = *behind(f[get_global_id(0)].v);
}

//DL: AoS: f[]
__kernel void either_member(__global cell *f)
{
    f[get_global_id(0)].n = either(&f[get_global_id(0)], 3);
}

//DL: AoS: f[]
__kernel void vectors(__global cell *f)
{
    __global uchar *b = (__global uchar *)f[get_global_id(0)].v;

    vstore4(vload4(1, b), 0, b);
}

//DL: AoS: f[]
__kernel void waits(__global cell *f)
{
    ((__global volatile uchar *)f[get_global_id(0)].v)[0] = 1;
}

//DL: AoS: f[]
__kernel void whole(__global cell *f)
{
    ((__global uchar *)&f[get_global_id(0)])[4] = 1;
}

//DL: AoS: f[]
__kernel void copied(__global cell *f, __local uchar *l)
{
    __global uchar *b = (__global uchar *)f[0].v;

    wait_group_events(1, (event_t[]){async_work_group_copy(l, b, 8, 0)});
}

//DL: AoS: f[]
__kernel void number(__global cell *f)
{
    f[0].n = (uint)(ulong)(__global uchar *)f[0].v;
}

//DL: AoS: f[]
__kernel void apart(__global cell *f)
{
    f[0].n = (__global uchar *)f[0].v - f[0].c;
}

//DL: AoS: f[]
__kernel void atomically(__global cell *f)
{
    atomic_inc((__global int *)((__global char *)f[0].v + 4));
}
