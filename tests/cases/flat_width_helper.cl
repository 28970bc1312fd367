// run: go structs structs n w
float dot(__global const float *a, int w, int i, __global const float *b)
{
    float sum = 0.0f;
    int pitch = w;

    for (int k = 0; k < w; k++)
        sum += a[i * pitch + k] * b[k];
    return sum;
}
float first(__global const float *row) { return *row; }
float narrowed(__global const float *row, int w)
{
    w -= 1;
    return row[1 * w] + first(row + w);
}
void put(__global float *row, int n, float v)
{
    for (__global float *p = row; p < row + n; p++)
        *p += v;
}

//DL: AoS: in[n][width], out[n][width]
__kernel void go(__global const float *in, __global float *out, int n, int width)
{
    int i = get_global_id(0);
    float v = dot(in, width, i, in + (n - 1) * width) + dot(in, 1, i, in);

    put(out + width * i, width, v);
    put(&out[i * width], 1, first(in) + narrowed(in + i * width, width));
}
