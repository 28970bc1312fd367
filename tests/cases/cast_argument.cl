// run: go structs structs structs words:2 n
// Arguments without a type of their own, cast to one type of struct wherever they are named.
typedef struct {
    float x, y;
    int n[2];
} cell;

typedef __global cell *cells;

int peek(__global const cell *c, int i)
{
    return c[i].n[1];
}

//DL: AoS: f[n], g[n], h[n][2]
__kernel void go(__global void *f, __global const uchar *g, __global const void *h,
                 __global int *out, int n)
{
    int i = get_global_id(0);
    __global cell *p = f, *q = (cells)f + i;
    __global const cell *from = (__global const cell *)((g));
    __global const float *rows = h;

    p[i].x = from[i].y + rows[2 * i + 1];
    q->n[0] = peek(f, i) + peek((__global const cell *)g, n - 1 - i);
    out[2 * i] = ((__global cell *)f)[i].n[1] + peek(from + i, 0);
    out[2 * i + 1] = (int)(((__global const float *)h)[2 * i] * 8.0f);
    vstore2(vload2(0, &((__global const cell *)g)[i].x) + 1.0f, 0, &((__global cell *)f)[i].x);
    q = i & 1 ? (cells)f : q - i;
    q[i].y = 1.0f;
    if (from)
        q[i] = from[i];
}
