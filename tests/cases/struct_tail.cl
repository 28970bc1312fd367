// run: go structs~8 structs~13 n
// Members of a struct that the buffer holds only in part, behind the last whole one.
typedef struct {
    int a;
    float b;
    int c[2];
} cell;

typedef struct __attribute__((packed)) {
    char c;
    int n[3];
    short s;
} loose;

int peek(__global cell *p) { return p->a; }

//DL: AoS: f[n], g[]
__kernel void go(__global cell *f, __global loose *g, int n)
{
    int i = get_global_id(0);

    f[i].a += g[i].n[1];
    f[i].c[i & 1] -= f[i].a;
    if (i == n - 1) {
        __global cell *p = f + n;

        p->a += f[n].a + p[-1].c[1] + peek(p) + (int)(p - f);
        f[n].b = f[i].b;
        g[n].n[2] = g[n].c + g[n].n[0];
        g[n].c ^= g[i].s;
    }
}
