// run: go structs structs n
//DL: AoS: in[n][3], out[n][3]
__kernel void go(__global const int *in, __global int *out, int n)
{
    int k = 0;

    for (int j = get_global_id(0); j < 3 * n; j += get_global_size(0)) {
        out[j] = in[3 * n - 1 - j];
        out[j] += in[(in[j] & 0xffff) % (3 * n)];
    }
    k += out[0] == in[k++ * 3 + 1];
    *(out + 3 * get_global_id(0)) |= *in;
}
