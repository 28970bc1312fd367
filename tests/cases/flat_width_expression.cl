// run: go structs structs n w
#define PADDED(w) (((w) + 3) / 4 * 4)
//DL: AoS: in[n][width + 1], out[n][PADDED(width)]
__kernel void go(__global const float *in, __global float *out, int n, int width)
{
    int i = get_global_id(0);
    int pitch = width + 1;

    for (int j = 0; j < width; j++)
        out[i * PADDED(width) + j] = in[i * (width + 1) + j] + in[(n - 1 - i) * pitch + width];
    out[PADDED(width) * i] += in[i * width + i];
    out[PADDED(width) * i + (PADDED(width) - 1)] *= 2.0f;
}
