//DL: AoS: a[n][width], b[n][width]
__kernel void go(__global float *a, __global float *b, int n, int width)
{
    __global float *p = a;

    p = n ? p : b + width;
    *p = 1.0f;
}
