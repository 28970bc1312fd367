// run: go structs+2 n
#define MARGIN (1 * 3)
//DL: AoS: g[n + 2][3]
__kernel void go(__global float *g, int n)
{
    int i = get_global_id(0);

    g += MARGIN;
    g[3 * i] += g[3 * i + 1];
    g[i * 3 - 1] = 2.0f;
}
