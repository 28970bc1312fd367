// run: go structs structs n
typedef struct {
    float x;
    int k;
} cell;

//DL: AoS: in[n], out[n]
__kernel void go(__global const cell *in, __global cell *out, int n)
{
    int i = get_global_id(0);
    uint u = get_global_id(0);
    __global const cell *p = &in[i];

    out[i].x = (i > 0 ? in[i - 1].x : 0.0f) + (i + 1 < n ? p[1].x : 0.0f);
    if (u > 0)
        out[i].k = in[u - 1u].k + p[-1].k + (p - 1)->k + (in + u - 1u)->k;
}
