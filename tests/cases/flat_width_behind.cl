// Elements behind the last whole row stay where they are.
// run: go structs~12 n w
//DL: AoS: f[n][width]
__kernel void go(__global int *f, int n, int width)
{
    int i = get_global_id(0), k = width - 1;

    if (i == 0) {
        f[n * width] += 1;
        f[n * width + 1] ^= f[n * width + 2];
        f[(n - 1) * width + width + 2] -= f[0];
    }
    f[i * width + k] += f[i * width];
}
