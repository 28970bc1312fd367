typedef struct {
    float x, y;
    struct {
        float4 v;
    } in;
} cell;

//DL: AoS: f[], g[]
__kernel void unnamed(__global cell *f, __global cell *g, __global float *out)
{
    int i = get_global_id(0);

    out[i] = (i & 1 ? f : g)[i].x;
}

//DL: AoS: f[], g[]
__kernel void stepped(__global cell *f, __global cell *g, __global float *out)
{
    int i = get_global_id(0);
    __global cell *p = i & 1 ? f : g, *q;

    q = p++;
    out[i] = q->x + p->y;
}

//DL: AoS: f[], g[]
__kernel void viewed(__global cell *f, __global cell *g, __global float *out)
{
    int i = get_global_id(0);
    __global cell *p = i & 1 ? f : g;

    vstore2(vload2(0, &p[i].x), i, out);
}

//DL: AoS: f[], g[]
__kernel void address(__global cell *f, __global cell *g, __global float *out)
{
    int i = get_global_id(0);
    __global cell *p = i & 1 ? f : g;
    __global cell **pp = &p;

    out[i] = (*pp)->x;
}

//DL: AoS: f[], g[]
__kernel void integer(__global cell *f, __global cell *g, __global ulong *out)
{
    int i = get_global_id(0);
    __global cell *p = i & 1 ? f : g;

    out[i] = (ulong)p;
}
