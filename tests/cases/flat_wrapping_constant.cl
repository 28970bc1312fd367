// run: go structs structs n
// An unsigned sum of 64 bits passes 2^64 by a constant, which a compiler sees: a signed one must not.
//DL: AoS: out[n][2], in[n][2]
__kernel void go(__global int *out, __global const int *in, int n)
{
    int i = get_global_id(0);
    ulong k = (ulong)((in[2 * i] & 0xff) % n);
    __global const int *p = in + 2 * (9223372036854775808ul + k);
    __global const int *q = in;

    q += 2 * (9223372036854775808ul + (ulong)i);
    out[2 * i] = in[2 * (9223372036854775808ul + k) + 1];
    out[2 * i + 1] += in[1 + 2 * (9223372036854775808ul + k)] * 3 + p[1] + q[0] + (i > 0 ? q[-1] : 2);
    out[2 * (9223372036854775808ul + (ulong)i) + 1] ^= in[(k + 9223372036854775808ul) * 2];
}
