// run: go structs structs words:2 n
// Overloads that take rows of flat buffers.
#define OVER __attribute__((overloadable))
int OVER at(__global int *p, int r, int w, int c) { return p[r * w + c]; }
int OVER at(__global int *p, uint r, uint w, uint c) { return p[r * w + c] + 1; }
int OVER at(__global int *p, long r, int w) { return p[r * w + w - 1] + 2; }
int OVER at(__global uchar *p, int r, int w, int c) { return p[r * w + c] + 3; }
int OVER at(__constant int *p, int r) { return p[r]; }
__constant int table[3] = {1, 2, 3};

//DL: AoS: a[n][4], b[][5]
__kernel void go(__global int *a, __global uchar *b, __global int *out, int n)
{
    int i = get_global_id(0), w = 4;

    out[2 * i] = at(a, i, 4, 1) + at(a, (uint)i, 4u, 2u) + at(a, (long)i, 4) + at(b, i, 5, 4);
    out[2 * i + 1] = at(table, i % 3) + at(a + 4, i - 1, 4, 0) * (i > 0);
}
