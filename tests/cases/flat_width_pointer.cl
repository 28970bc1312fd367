// run: go structs structs n w
//DL: AoS: in[n][width], out[n][width]
__kernel void go(__global const float *in, __global float *out, int n, int width)
{
    int i = get_global_id(0);
    __global const float *p = in + width * i, *end = p + width, *q;
    __global float *o = &out[i * width], *last;
    float sum = 0.0f;

    while (p != end)
        sum += *p++ * 0.5f;
    for (q = end - 1; q >= in + i * width; q--)
        sum -= q[0] * 0.25f;
    o[0] = sum;
    last = o + width - 1;
    *last += p[-1];
    for (q = in; q < in + n * width; q += width)
        o[width - 1] += q[width - 1] + *q;
    p = in;
    p += i * width;
    p = i % 2 ? p : p + (width - 1);
    o[0] += *p * (float)(end - in) + (float)(p - in);
    p = q = end - width;
    o[0] += p == q ? q[width / 2] : 0.0f;
    p = p + (int)(*p > 0.0f ? width - 1 : 0);
    o[0] += *p;
    p = in + (n - 1) * width;
    p = q + (int)(p[width - 1] > *in ? width - 1 : 0); // its old value decides
    o[0] -= *p;
    q -= i * width;
    o[0] += *q;
    for (int k = 0; k < width; k++, last--)
        last[0] *= 1.5f;
    o[0] += *(q += 0) + *(p = in + (n - 1) * width);
}
