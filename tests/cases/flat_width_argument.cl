// run: go structs structs n w
//DL: AoS: in[n][width], out[n][width]
__kernel void go(__global const float *in, __global float *out, int n, int width)
{
    int row = get_global_id(0);
    const int pitch = width;

    for (int j = 0; j < width; j++)
        out[row * width + j] = in[row * width + j];
    for (int j = 0; j < width; j++)
        out[j + width * row] += in[(n - 1 - row) * (width) + j] * in[(width - 1 - j) + pitch * row];
    out[row * width] *= 2.0f;
    out[get_global_id(0) * pitch + (width - 1)] -= in[width * n - width];
}
