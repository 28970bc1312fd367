// run: go structs structs words:2
// long double-sided differences & unsigned compare of differences; conditional pointers
typedef struct { uchar c; } one;
//DL: AoS: f[], g[][1]
__kernel void go(__global one *f, __global uchar *g, __global int *out) {
    int i = get_global_id(0), n = get_global_size(0);
    __global one *p = i & 1 ? f + i : f + (n - 1);
    __global uchar *q = g + n - 1 - i;
    ulong d = p - f;
    uint e = (uint)(f - p);
    out[2*i] = (int)d + (int)(e >> 28) + (q - g < i) + ((size_t)(q - g) < (size_t)i) + (g - q > -1u);
    out[2*i+1] = (p > f ? p - 1 : p)->c + *(q > g ? q - 1 : q) + (int)((&g[n] - q) * (p - f));
}
