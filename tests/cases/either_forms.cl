// run: go structs/13+1 structs/13+1 structs/13+1 words:1 n
typedef struct {
    int n, m;
    union {
        float f;
        int i;
    } u;
    struct {
        char c;
        short s;
    } in;
} cell;

#define SIDE(c) ((c) & 1 ? f : g)
#define NUM(p) ((p)->n & 0xff)

int sum(__global const cell *a, __global const cell *b, __global const cell *none)
{
    const int more = none ? 7 : 3;

    a = a->n & 1 ? a : b;
    return (a ? a->m & 15 : 0) + more + (b[0].n > a[0].n);
}

//DL: AoS: f[n], g[n], h[n]
__kernel void go(__global cell *f, __global cell *restrict g, __global cell h[], __global int *out,
                 int n)
{
    int i = get_global_id(0), k = 0;
    __global cell *const p = SIDE(k++);

    for (__global cell *q = i & 2 ? f + i : i & 4 ? g + i : &h[i], *r = q; k < 4; r = q, k++) {
        q->m += NUM(r) + k;
        atomic_add(&q->n, k);
        (*(&r[0])).u.i ^= 5, r->in.s += (r + 0)[0].in.c;
        (1 - 1 + r)->u.f = (float)(r->u.i & 7);
    }
    {
        __global cell *p = f, *x = SIDE(i);

        p = i % 3 ? p : h;
        x[i] = p[i];
        p += i, x += i - 1, ++x;
        --p;
        p++;
        *p = *x;
        k += sum(p, x, 0) + sum(h + i, p, x) + sum(x, x, p);
    }
    h[i].n = k + NUM(p + i) + (int)sizeof(p->in);
    g = k & 1 ? h + i : g + i;
    g->m ^= k;
    out[i] = g ? g->in.c : -1;
}
