// run: go structs+2 n w
//DL: AoS: g[n + 2][width]
__kernel void go(__global float *g, int n, int width)
{
    int i = get_global_id(0);

    g += width;
    g[i * width] += g[i * width + (width - 1)];
    g += i * width;
    g[width / 2] *= 2.0f;
    g++;
    g[-1] -= 1.0f;
    g = g - 1;
    *g += 0.5f;
}
