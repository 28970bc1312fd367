// run: go structs structs words:2
// vector flats and packed w/ overloads; swizzle args; tails of vector flats
#define OVER __attribute__((overloadable))
int OVER v(float4 a) { return a.x > 0; }
int OVER v(float2 a) { return (a.x > 0) + 2; }
int OVER v(float a) { return (a > 0) + 4; }
int OVER v(__global float4 *a) { return ((*a).y > 0) + 8; }
int OVER v(__global const float4 *a) { return ((*a).y > 0) + 16; }
int OVER v(__constant float4 *a) { return ((*a).y > 0) + 32; }
//DL: AoS: f[][2], c[][3]
__kernel void go(__global float4 *f, __constant float4 *c, __global int *out) {
    int i = get_global_id(0);
    __global const float4 *k = f + 2 * i;
    out[2*i] = v(f[2*i]) + v(f[2*i+1].xy) + v(f[2*i].w) + v(f + 2 * i) + v(k) + v(c + 3 * i + 2);
    out[2*i+1] = v(c[3*i].lo) + v(&f[2*i+1]) + v(&k[1]);
}
