// run: go structs
// A member is given to helpers that reach its neighbours, which are as wide.
typedef struct {
    float x, y, z;
} point;
typedef struct {
    int tag;
    point at, to;
    float m[2][4];
    double far;
    float w;
} pair;

float second(__global float *v) { return v[1]; }
float other(__global float *v) { return second(v); }
float3 load(const __global float *p) { return vload3(0, p); }
void store(float3 v, __global float *p) { vstore3(v, 0, p); }
float4 row(const __global float *p) { return (float4)(p[0], *(p + 1), p[2], p[3]); }

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    size_t i = get_global_id(0);
    __global pair *p = &f[i];

    f[i].far += other(&p->at.x);
    store(load(&f[i].to.x) + load(&p->at.x), &f[i].at.x);
    p->w += row(&p->m[1][0]).w - row(&f[i].m[0][0]).x;
}
