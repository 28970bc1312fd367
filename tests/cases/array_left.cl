// run: go structs structs n
// run: flat structs structs n
/* Pointers into an array member that go on behind it, before it and into other structs. */
typedef struct {
    float w[4];
    float x;
    int id[2];
    float z[2];
} cell;

typedef struct {
    short kind[2];
    double d;
    float w[6];
} mixed;

float total(__global const float *from, __global const float *to)
{
    float s = 0.0f;

    while (from < to)
        s += *from++;
    return s;
}

//DL: AoS: f[n], g[n]
__kernel void go(__global cell *f, __global const cell *g, int n)
{
    int i = get_global_id(0), next = i + 1 < n ? i + 1 : 0;
    __global const float *x = g[i].w, *back = g[i].z, *all = g[0].w, *end;
    __global float *to = f[i].w;
    float s = 0.0f;

    for (int k = 0; k < 5; k++)
        s += x[k] * k;
    s += back[-5] + back[-7 - 9 * (i > 0)];
    s += all[i * 9 + (i & 3)] + all[next * 9 + 4];
    s += *(x + (next - i) * 9 + 1);
    x += (next - i) * 9;
    s += x[2] - (x == g[next].w) - (x != g[i].w) + (float)(x - all);
    end = g[n - 1].w + 4;
    s += total(g[n / 2].w, g[n / 2].w + 5) + (all <= end) + (x > end);
    s += vload4((next - i) * 9 / 9, x - 4 * ((next - i) * 9 / 9)).s1;
    to[(i & 1) * 4] += s;
    to = f[0].z;
    to[i * 9 + 1] = s;
}

//DL: AoS: f[n], g[n]
__kernel void flat(__global mixed *f, __global const mixed *g, int n)
{
    int i = get_global_id(0);
    __global float *to = f[0].w;
    __global const float *from = g[n - 1].w;
    int per = sizeof(mixed) / sizeof(float);

    to[i * per + 2] = from[(i - (n - 1)) * per + 5];
    to += i * per;
    to[3] += f[i].w[1] + g[0].w[i * per];
}
