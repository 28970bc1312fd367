// run: shift structs n words:5
// Elements that are not in the array that they are counted from, and pointers that go from one to the next.
//DL: SoA: f[n][5] to ASTA
__kernel void shift(__global const float *f, const int n, __global float *out)
{
    const int i = get_global_id(0);
    __global const float *p = f + i, *last = f + (5 * n - 1);
    float sum = 0.0f;

    for (int k = 0; k < 5; k++, p += n)
        sum += *p;
    out[i] = sum;
    out[n + i] = f[2 * n + i - n];
    out[2 * n + i] = f[n - 1 - i];
    out[3 * n + i] = f[i + n + n / 2];
    out[4 * n + i] = last[-i] + f[(uint)i * 5u];
}
