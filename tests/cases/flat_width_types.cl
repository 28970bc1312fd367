// run: go structs structs structs structs n w
//DL: AoS: a[n][width], b[n][width], c[n][width], d[n][2 * width]
__kernel void go(__global uchar *a, __global double *b, __global float4 *c, __global short *d, int n,
                 int width)
{
    int i = get_global_id(0);

    for (int j = 0; j < width; j++) {
        a[i * width + j] += j;
        b[i * width + j] = b[i * width + j] * 0.5 + a[i * width + j];
        c[i * width + j].yz += c[i * width + (width - 1 - j)].s10;
        c[i * width + j] *= 2.0f;
        d[(i * width + j) * 2] = d[i * (2 * width) + 2 * j + 1];
    }
}
