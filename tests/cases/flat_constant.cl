//DL: AoS: w[n][5]
__kernel void go(__constant float *w, __global float *out, int n)
{
    int i = get_global_id(0);
    float sum = w[i * 5 + 4] + w[i * 5 - 5 * i + 2];

    for (int j = 0; j < 5; j++)
        sum += w[i * 5 + j];
    out[i] = sum + w[(i * 7) % (n * 5)];
}
// run: go structs words:1 n
