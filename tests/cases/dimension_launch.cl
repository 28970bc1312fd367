// Lengths and widths that are sizes of the launch.
typedef struct {
    int x, y;
} pair;

//DL: SoA: f[get_global_size(0)][3] to ASTA
//DL: AoS: g[global_size(0)][get_global_size(0)], h[get_global_size(0) * 1]
__kernel void go(__global int *f, __global int *g, __global pair *h)
{
    int n = get_global_size(0), i = get_global_id(0);
    size_t all = get_global_size(0);

    f[i + n] += f[i] ^ f[2 * n + i];
    f[i + 2 * get_global_size(0)] = h[all - 1 - i].x;
    for (int k = 0; k < n; k++)
        g[i * n + k] += k;
    g[i * get_global_size(0)] ^= 5;
    h[i].y = g[get_global_size(0) * i + (n - 1)];
}
// run: go structs structs structs
