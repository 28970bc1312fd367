// run: go structs structs structs~8 n long:922337203685477581 long:-5
// An unsigned index of 64 bits passes 2^64 on its way, and is in the buffer at its end.
//DL: AoS: in[n][20], rows[n][20], out[n][20]
float of(__global const float *p, ulong row)
{
    return p[20 * row + 5];
}

__kernel void go(__global const float *in, __global const float *rows, __global float *out, int n, ulong w, ulong back)
{
    size_t i = get_global_id(0), far = i + w, r;
    ulong k = (i == 0) * w;

    /* 20 * w is 2^64 + 4 */
    out[20 * i + 0] = in[20 * w] + in[20 * w + 1] + in[20 * i + 1];
    out[20 * i + 1] = in[20 * far + 2 - 4] * 2 + in[(w + i) * 20 + 3];
    out[20 * i + 2] = in[20 * w + i % 7] + in[i % 7 + 20 * w] + in[20 * w - 4 + (back + 9)];
    out[20 * i + 3] = of(rows, far) + of(rows, i) + in[back + 20 * (i + 1)] + in[20 * k + 20 * (i - k)];
    out[20 * i + 4] = in[20 * (size_t)(int)i + 6] + in[(size_t)20 * (i / 3) + i % 3] + in[(long)(20 * w) + 2];
    for (r = 3 * w; r - 3 * w < 3 && r - 3 * w < n; r++)
        out[20 * i + 5] += in[20 * (r - 2 * w) + 1] + in[20 * r + 4];
    for (size_t s = 0; s < 3 && s < n; s++)
        out[20 * i + 6] += in[20 * s + 1] * s;
    if (i == n - 1)
        out[20 * (w + n) - 4] = 3;
    out[20 * (i + w) + 3] = in[20 * far + 15];
}
