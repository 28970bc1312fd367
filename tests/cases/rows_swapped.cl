// run: go structs structs structs words:2 n
// Pointers that change places between equal rows of a constant width: each is a buffer and an element's index.
#define AT(f, i, k) (f)[3 * (i) + (k)]

float sum(__global const float *r, int i)
{
    return AT(r, i, 0) + AT(r, i, 2);
}

void nudge(__global float *to, __global float *from, int turn)
{
    if (turn)
        to = from + 3;
    to[1] += 0.25f;
}

//DL: AoS: f[n][3], g[n][3], h[n][3]
__kernel void go(__global float *f, __global float *g, __global const float *h, __global int *out, int n)
{
    int i = get_global_id(0), k;
    __global float *p = f, *q = g, *t;
    __global const float *r = i % 3 ? h : (__global const float *)g, *end;
    __global float *own = f + 3 * i;

    for (k = 0; k < 3; k++) {
        AT(q, i, 1) = AT(p, i, 0) * 2.0f + k;
        t = p;
        p = q;
        q = t;
    }
    p += 3 * i;
    (*p)++;
    p[2] = own[1];
    out[2 * i] = (p == own) + 2 * (q == g) + 4 * (int)(p - own != 0);
    p -= 3 * i;
    end = r + 3 * i;
    for (r += 3 * i; r <= end; r++)
        q[3 * i + 2] += *r;
    q[3 * i] += sum(q, i) + sum(&p[3 * i], 0);
    nudge(&AT(p, i, 0), q + 3 * i - 3, i & 1);
    nudge(own, q, 0);
    out[2 * i + 1] = (int)(&AT(q, i, 2) - q);
}
