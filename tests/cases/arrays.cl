// run: update structs n int:3
// Fields one after the other: constants, loops and rows of a stencil say which.
#define AT(k, i) f[(k)*n + (i)]

//DL: SoA: f[n][5] to ASTA
__kernel void update(__global float *f, const int n, const int more)
{
    const int i = get_global_id(0);
    float sum = 0.0f;

    for (int k = 0; k < 3; k++)
        sum += f[k * n + i];
    AT(3, i) = sum;
    f[i + 4 * n] = f[n + i] - AT(0, i);
    f[more * n - n + i] += 1.0f;
    if (i > 0)
        f[4 * n + i - 1 + 1] *= f[i];
}
