// run: go structs structs words:4 n
// Differences, comparisons and sizes, with names of types declared anew.
typedef struct {
    int a;
    enum { RED, GREEN } kind;
    union { int i; float f; } u;
} cell;
typedef struct { char c; int n; } __attribute__((packed)) loose;

//DL: AoS: f[n], g[n]
__kernel void go(__global cell *f, __global loose *g, __global int *out, int n)
{
    int i = get_global_id(0);
    typedef short cell_t;
    cell_t kind = f[i].a;
    struct cell { int x; } local_one = {3};
    __global cell *p = f + i;
    __global loose *q = &g[i];

    {
        int cell = 5, loose = 6, RED = 7;
        out[4 * i] = cell + loose + RED + sizeof(*p) + sizeof(p->u) + sizeof *q + p->u.i + kind;
        p->u.f = (p->u.i & 0xff) + q->n;
        q->n = q->n + sizeof(q->n);
    }
    out[4 * i + 1] = local_one.x + (int)sizeof(f[i]) + (int)sizeof(g->n) + (p == f + i) + (p != f) + (p - 1l == f + i - 1u);
    out[4 * i + 2] = (p - 1 < f) + 2 * (p - 1 >= f) + 4 * (&f[-1] < p) + 8 * (p - 5ul + 5l == p) + (int)(f - 3 - p);
    for (p = f + n - 1; p != f - 1; p--)
        out[4 * i + 3] += (int)(p - f);
    for (p = f + n - 1; p >= f; p -= 2u)
        out[4 * i + 3] ^= (int)(p - f);
    for (p = f; p - n != f; p = p + 1ul)
        out[4 * i + 3] += 3;
}
