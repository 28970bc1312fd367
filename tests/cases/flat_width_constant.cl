// run: go structs structs n w
//DL: AoS: in[n][width], out[n][width]
__kernel void go(__constant float *in, __global float *out, int n, int width)
{
    int i = get_global_id(0);
    __constant float *row = in + i * width;

    for (int j = 0; j < width; j++)
        out[i * width + j] = row[j] - in[(n - 1) * width];
}
