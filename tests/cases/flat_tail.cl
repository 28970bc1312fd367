// run: go structs~8 structs~12 structs~4 n
// Elements behind the last whole row stay where they are.
int helper(__global const int *p, int k) { return p[k] + *(p + 1); }

//DL: AoS: in[][4], out[n][4], bytes[][5]
__kernel void go(__global const int *in, __global int *out, __global uchar *bytes, int n)
{
    int i = get_global_id(0), last = 4 * n, k = i ? 0 : 2;
    uint u = i, un = n;
    ulong z = i, zn = n;

    for (int j = 0; j < 4; j++)
        out[4 * i + j] += in[4 * i + j] + in[4 * i + (j + k) % 4];
    if (i == n - 1) {
        __global const int *p = in + last;

        out[last] = in[last] * 3 + in[4 * n + 1] + p[1] + *(in + last + 1);
        out[4u * un + 1u] = in[4u * un] + in[4ul * zn + 1] - in[4 * (n + 1) - 3];
        out[last + 2] = helper(in + last, 0) + helper(p, 1) + vload2(0, in + last).y;
        __global int *q = out + last;
        out[4 * (n - 1) + 6] ^= q[-1] + (int)(&out[last + 2] - q);
        for (int j = 0; j < 4; j++)
            bytes[5 * n + j] += bytes[5 * n - 1 - j] + j;
        bytes[5u * un] ^= bytes[5ul * zn + 2];
        vstore2((uchar2)(bytes[5 * n], 9), 0, bytes + 5 * n + 2);
    }
}
