// run: go structs~8 structs~12 structs~2 words:8 n
// An index keeps the value that it has in its own type, whatever its parts are.
//DL: AoS: a[][3], b[][4], c[][3]
__kernel void go(__global int *a, __global const int *b, __global uchar *c, __global int *out, int n)
{
    int i = get_global_id(0), j = i % 3, k = 0;
    uint u = i, v = j;
    long l = i, m = j;
    ulong z = i, y = j;
    uchar s = i % 5 < n ? i % 5 : 0;
    short t = i;

    out[8 * i] = b[4l * (l - 1000000000l) + (m + 4000000000l)] + b[(m + 4000000000l) + 4l * (l - 1000000000l)];
    out[8 * i + 1] = a[3u * (u + 0x55555556u) - 2u + 0u] + a[3u * (u + 0xaaaaaaabu) - 1u] + b[(u << 2) + 1];
    out[8 * i + 2] = c[s * 3 + 1] + c[t * 3 + j] + c[(ushort)(3 * i + 1)] + c[3 * (size_t)t + v];
    out[8 * i + 3] = b[(int)(4 * l) + j] + b[(uint)(4 * l) + v] + b[(long)(4 * i) + m] + b[-(4u * u) + 8u * u + 2u];
    out[8 * i + 4] = b[(k = i) * 4 + 1];
    out[8 * i + 4] += b[4 * i + (k += 1) % 2];
    out[8 * i + 4] += b[4 * k-- - 4];
    out[8 * i + 4] += k;
    out[8 * i + 5] = b[(int)(4u * u + 1u)] + b[(ulong)(4u * u) + y] + b[(ulong)(4u * (u - 1u)) + 4 - 4294967296ul * (u == 0)];
    out[8 * i + 6] = b[4 * i - -3] + b[3 - (-4 * i)] + b[4 * (i + 1) - 4 + j] + b[j - 4 * (-i)];
    out[8 * i + 7] = b[(uint)-1 + 4u * u + 1u] + b[~0u + (u * 4u + 2u)] + b[4u * u - (v + 1u) + 3u] + b[(v + 2u) - 3u + 4u * u + 1u];
    if (i == n - 1) {
        atomic_add(&a[3 * n + 1], 7);
        atomic_add(a + 3 * n, b[4 * n + 2] & 7);
        vstore2((int2)(b[4 * n], b[4 * n - 1]), 0, a + 3 * n);
        out[8 * i + 7] += vload4(0, b + 4 * n - 2).w + vload4(n, b - 1).x * 3;
        c[3 * n + 1] = c[3 * n] + c[3u * n - 1];
    }
}
