// run: go structs structs n
//DL: AoS: in[n][3], out[n][3]
__kernel void go(__global const int *in, __global int *out, int n)
{
    int k = 0;

    for (int j = 3 * get_global_id(0), left = 3; left > 0; left--, j++) {
        out[j] = in[3 * n - 1 - j];
        out[j] += in[(in[j] & 0xffff) % (3 * n)];
    }
    out[3 * get_global_id(0)] += in[k++ * 3 + 1];
    *(out + 3 * get_global_id(0)) |= *in;
}
