// run: go structs structs n
float dot3(__global const float *a, int i, __global const float *b, int j)
{
    return a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
}
void put(__global float *row, float v)
{
    row[0] = v;
    row[2] = -v;
}

//DL: AoS: in[n][3], out[n][3]
__kernel void go(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);

    out[3 * i + 1] = dot3(in, i, in, n - 1 - i);
    put(out + 3 * i, in[3 * i]);
}
