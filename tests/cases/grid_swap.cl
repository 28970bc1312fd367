/* Pointers that change places between equal grids: each is a buffer and an index. */

float sum(__global const float *v, int i)
{
    return v[i] + v[i + 1];
}

//DL: grid: a[ny][nx], b[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void to_and_fro(__global float *a, __global float *b, int nx, int ny, int steps)
{
    int x = get_global_id(0), y = get_global_id(1);
    __global float *p = a, *q = b, *t;

    for (int s = 0; s < steps; s++) {
        q[y * nx + x] = p[y * nx + x] * 2.0f;
        t = p;
        p = q;
        q = t;
    }
}

//DL: grid: a[ny][nx], b[ny][nx] as y[*] x[*] y[1:0] x[2:0]
__kernel void chosen(__global float *a, __global float *b, int nx, int ny, int which)
{
    int x = get_global_id(0), y = get_global_id(1);
    __global float *p = which & 1 ? a : b, *q = which & 1 ? b : a;

    p += nx;
    *p = q[3] + sum(q, x) + sum(p + 1, y);
    p++;
    atomic_xchg(p, 3.0f);
    if (p == q)
        *q = p - a;
}
