// run: go structs words:1 n
// The address of a member, or of an array's element, that a helper returns.
typedef struct {
    int e;
    float4 v, u;
    float m[6];
} mat;

__global float *pick(__global mat *m, int r)
{
    return &m->m[r];
}

__global int *entry(__global mat *m)
{
    return &m->e;
}

__global float4 *either(__global mat *m, int c)
{
    return c ? &m->v : &m->u;
}

//DL: AoS: f[n]
__kernel void go(__global mat *f, __global int *out, int n)
{
    int i = get_global_id(0);
    __global float *row = pick(f + i, out[i] & 3);

    row[1] += *row + pick(f + i, 2)[i & 3];
    *entry(f + i) ^= 5;
    either(f + i, out[i] & 4)->y += 2.0f;
}
