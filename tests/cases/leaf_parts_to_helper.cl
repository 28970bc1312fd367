// detect: on
// run: push structs words:1
// run: parts structs words:1
/* The address of a vector member goes to helpers that reach its components by casts and constant steps: they lie together in
 * every layout. */
typedef struct {
    float4 pos, force;
    int2 counts;
} body;

void add_float(volatile __global float *a, float v)
{
    union {
        uint u;
        float f;
    } o, n;

    do {
        o.f = *a;
        n.f = o.f + v;
    } while (atomic_cmpxchg((volatile __global uint *)a, o.u, n.u) != o.u);
}

void add4(volatile __global float4 *a, float4 v)
{
    volatile __global float *f = (volatile __global float *)a;

    add_float(f, v.x);
    add_float(f + 1, v.y);
    add_float(&f[2], v.z);
    add_float(((f + 4) - 1), v.w);
}

__kernel void push(__global body *b, __global const int *pairs)
{
    int i = get_global_id(0);

    add4(&b[i].force, (float4)(pairs[i] & 3));
}

int both(__global int2 *c)
{
    __global int *n = (__global int *)c, *second = &n[1];

    atomic_inc(n);
    *second += 2;
    (*c).x ^= 1;
    return n[0] + *(second - 1);
}

__kernel void parts(__global body *b, __global int *out)
{
    int i = get_global_id(0);

    out[i] = both(&b[i].counts);
}
