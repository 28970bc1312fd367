// run: go structs words:2 n w
// run-time widths with overloads and tails, uint widths, macros for width
#define OVER __attribute__((overloadable))
#define COLS (w)
#define IDX(r, c) ((r) * COLS + (c))
int OVER s(__global const int *p, int w, int i) { return p[i * w] + p[IDX(i, w - 1)]; }
int OVER s(__global const int *p, uint w, int i) { return p[(uint)i * w + 1u % w]; }
int OVER s(__global const int *p, long w) { return p[w]; }
//DL: AoS: a[n][COLS]
__kernel void go(__global int *a, __global int *out, int n, int w) {
    int i = get_global_id(0);
    __global const int *p = a + i * w;
    out[2*i] = s(a, w, i) + s(a, (uint)w, i);
    out[2*i+1] = (int)(p - a) + (p >= a + w) + (&a[IDX(i, 0)] == p) + s(a, (long)0) + *(p + w - 1);
}
