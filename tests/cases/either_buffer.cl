// run: go structs structs structs words:2 n
// One pointer into one of several buffers, chosen by a condition or set later, null at times.
typedef struct {
    float x, y;
    int at[3];
} cell;

void bump(__global cell *c, int by)
{
    c->at[by & 1] += by;
    c[0].x *= 0.5f;
}

//DL: AoS: f[n], g[n], h[n]
__kernel void go(__global cell *f, __global cell *g, __global const cell *h, __global int *out,
                 int n)
{
    int i = get_global_id(0), k = 0;
    __global cell *p = i & 1 ? f : &g[0];
    __global const cell *q, *end;
    __global const cell *none = 0;

    p[i].x = p[i].y + 1.0f;
    if (i % 3)
        q = h + i;
    else
        q = g + (i + n - n);
    q = q - 1l;
    end = k ? q : f;
    none = i & 4 ? none : &q[1];
    k = q[1].at[i % 3] & 0xff;
    p += i;
    p->at[2]++;
    *p = p[0];
    bump(p, k);
    bump(p - i + i, 2);
    if (none && q != 0)
        k += none->at[0] & 15;
    out[2 * i] = k + (none == NULL) + !end;
    p = NULL;
    out[2 * i + 1] = (p ? 1 : 2) + (int)sizeof(*p);
}
