// run: go structs words:2
// The copy of a helper has the pragmas that hold where the helper stands.
typedef struct {
    float a, b, c;
    int n;
} cell;
#pragma OPENCL FP_CONTRACT OFF
float sum(__global cell *p) { return p->a * p->b + p->c; }
#pragma OPENCL FP_CONTRACT ON

//DL: AoS: f[]
__kernel void go(__global cell *f, __global float *out)
{
    int i = get_global_id(0);

    out[2 * i] = sum(f + i);
    out[2 * i + 1] = f[i].a * f[i].b + f[i].c;
}
