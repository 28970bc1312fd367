// run: go structs~3 words:2 n
// Loops over all elements, those behind the last row too, by every type of index.
#define ALL(T) for (T k = 0; k < (T)(5 * n + 3); k++)
//DL: AoS: b[][5]
__kernel void go(__global uchar *b, __global uint *out, int n) {
    int i = get_global_id(0);
    uint s = 0, t = 1;
    ALL(int) s = s * 31 + b[k];
    ALL(uint) s = s * 31 + b[k];
    ALL(long) s = s * 31 + b[5 * (k / 5) + k % 5];
    ALL(ulong) s = s * 31 + *(b + k);
    ALL(uint) s = s * 31 + b[5u * (k / 5u) + k % 5u];
    ALL(int) s = s * 31 + b[5 * (k / 5) + k % 5];
    ALL(uint) s = s * 31 + b[k % 5u + 5u * (k / 5u)];
    for (__global uchar *p = b, *e = b + 5 * n + 3; p < e; p += 2) t = t * 7 + *p + (uint)(e - p);
    for (__global uchar *p = b + 5 * n + 2; p >= b; --p) t = t * 7 + p[0];
    out[2*i] = s; out[2*i+1] = t;
}
