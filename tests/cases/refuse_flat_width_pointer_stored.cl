//DL: AoS: f[n][width]
__kernel void go(__global float *f, int n, int width)
{
    __global float *rows[2] = {f, f + width};

    rows[1][0] = 1.0f;
}
