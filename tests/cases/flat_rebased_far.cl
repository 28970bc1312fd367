// run: go structs structs n
//DL: AoS: in[n][20], out[n][20]
__kernel void go(__global const uint *in, __global uint *out, int n)
{
    long i = get_global_id(0), r = i - 214748365, e = 4294967300l; /* 20 * r + e is 20 * i */
    __global const uint *p = in + 20 * (int)i;

    out[20 * i] = p[0] + in[20 * r + e];
    out[20 * i + 1] = in[e + 20 * r + 1];
    out[20 * i + 2] += in[20 * r + (e + 5) - 2];
}
