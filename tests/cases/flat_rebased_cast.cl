// run: go structs structs n
//DL: AoS: in[n][20], out[n][20]
__kernel void go(__global const uint *in, __global uint *out, int n)
{
    uint i = get_global_id(0), u = i + 214748365u; /* 20 * u is 20 * i + 4 */
    __global const uint *p = in;

    p += (int)(20 * u) - 4;
    out[20 * i] = p[0] + in[(int)(20 * u + 5u)];
    out[20 * i + 1] = in[(int)(20 * u) + 5] + in[(int)(5u + u * 20) + 3];
}
