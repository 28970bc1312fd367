// Pointers into one of several buffers, compared with each other.
typedef struct {
    float x, y;
    int n;
} cell;

__global cell *next(__global cell *p, int by)
{
    return p ? p + by : p;
}

int is_first(__global cell *p, __global cell *f)
{
    return p == f;
}

//DL: AoS: f[n], g[n]
__kernel void go(__global cell *f, __global cell *g, __global int *out, int n)
{
    int i = get_global_id(0), k = 0;
    __global cell *p = i & 1 ? f : g, *r, *mine;

    if (p == g)
        k += g[i].n & 1;
    k += (p == g) + 2 * (p != f) + 4 * (f == g) + 8 * (p == &f[n]);
    p += i;
    if (p != f + 1)
        k += p->n & 3;
    r = p;
    r += 1;
    k += 16 * (p < r) + 32 * (r >= p) + (p->n & 7);
    k += 512 * (int)(p - (i & 1 ? f : g)) + (int)(r - p) + (int)(p - r);
    mine = next(p, 0);
    mine->x += 1.0f;
    k += is_first(p, f) + (mine == p ? mine->n & 15 : 0);
    if (mine != r)
        k += r[-1].n & 31;
    if (r > mine)
        k += (mine - 1)[1].n & 63;
    out[i] = k;
}

// run: go structs structs words:1 n
