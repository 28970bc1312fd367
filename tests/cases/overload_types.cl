// run: go structs structs structs words:8
// Arguments keep their types: of members, elements, pointers to const, differences.
#define OVER __attribute__((overloadable))
typedef struct foo {
    char c;
    signed char d;
    short s;
    float2 v;
    int n;
} cell;
typedef cell alias;

int OVER g(__global const struct foo *p) { return p->n + 1; }
int OVER g(__global alias *p) { return p->n + 2; }
static int OVER h(char c) { return c + 10; }
static int OVER h(short c) { return c + 20; }
static int OVER h(int c) { return c + 30; }
static int OVER h(long c) { return (int)c + 40; }
static int OVER h(float c) { return (int)(c * 0.001f) + 50; }
static int OVER h(float2 c) { return (c.x > 0) + 60; }
static int OVER h(cell c) { return c.n + 70; }
int after(__global cell *p, int k) OVER;
int after(__global cell *p) OVER;
int OVER after(__global cell *p) { return after(p, 3) + 1; }
int OVER after(__global cell *p, int k) { return p[0].s * k; }
int OVER fl(__global float *p, int k) { return p[k] > 0; }
int OVER fl(__global const float *p, int k) { return (p[k] > 0) + 4; }
int OVER fl(__global int *p, int k) { return p[k] + 8; }
int OVER fl(__local int *p, int k) { return p[k] + 16; }
int OVER fl(__private int *p, int k) { return p[k] + 32; }

//DL: AoS: f[], a[][3], b[][2]
__kernel void go(__global cell *f, __global float *a, __global int *b, __global int *out)
{
    int i = get_global_id(0);
    __local int loc[2];
    int mine[2] = {i, i + 1};
    __global const cell *q = f + i;
    __global const float *r = a + 3 * i;

    loc[0] = 5;
    loc[1] = 6;
    out[8 * i] = g(f + i) * 3 + g(q) + g((__global const cell *)f + i);
    out[8 * i + 1] = h(f[i].c) + h(f[i].s) + h(q->n) + h(q - f) + h(f[i].v) + h(f[i].v.y);
    out[8 * i + 2] = h(f[i]) + h(a[3 * i + 1] > 0 ? 1.f : 2.f) + h(b[2 * i]) + h((long)b[2 * i + 1]);
    out[8 * i + 3] = after(f + i) + after(&f[i], 2);
    out[8 * i + 4] = fl(a + 3 * i, 2) + fl(r, 1) + fl(b + 2 * i, 1) + fl(b, i) + fl(loc, 1) + fl(mine, 0);
    out[8 * i + 5] = h((char)(f[i].c)) + h((&f[i])->c) + h((f + i)->s ? 1 : 2L) + h(sizeof(*q) > 3);
}
