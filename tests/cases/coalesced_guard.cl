// run: move structs structs words:1 n
// group: 8
#define AT(i) order[i]
typedef struct {
    float a[3];
    int b;
    float4 c;
    long d[2];
} cell;

typedef struct {
    float x, y, z;
} point;

float sum(const cell c)
{
    return c.a[0] + c.c.y;
}

//DL: AoS: from[n], to[n]
kernel void move(global const cell *from, global cell *to, global const uint *order, int n)
{
    const int i = get_global_id(0);
    if (i >= n)
        return; // more work-items than structs
    const uint j = AT(i) % n, k = j;
    const cell c = from[k];
    cell d = c;

    for (int l = 0; l < 3; l++)
        d.a[l] *= 2;
    if (d.b & 1)
        d.d[1] -= (long)sum(c);
    to[i] = d;
}

//DL: AoS: f[n], g[n]
kernel void inner(global point *f, global point *g, int n)
{
    const size_t i = get_global_id(0) + 1;

    if (i < n && f[i].x > 0) {
        point p = f[i - 1], q;

        if (p.x < p.y)
            p.z = p.x;
        q = p;
        f[i - 1] = p;
        g[i - 1] = q;
    }
}

// The second store reads what the first may have written.
//DL: AoS: f[n], g[n]
kernel void twice(global point *f, global point *g, int n)
{
    const size_t i = get_global_id(0);

    if (i < n) {
        point p = g[i];

        p.x += 1;
        f[i] = p;
        g[i] = f[i];
    }
}
