// run: go structs structs n
typedef struct {
    short kind;
    float m[5];
    struct {
        int id, more[3];
    } parts[4];
    char table[2][3];
} cell;

float sum(__global const float *m, int count)
{
    float s = 0.0f;

    for (__global const float *e = m; e < m + count; e++)
        s += *e;
    for (int k = 0; k < count; k++)
        s += m[k] * k + *(k + m);
    return s;
}

void shift(__global int *to, __global const int *from)
{
    __global int *last = to + 2;

    *to++ = from[1];
    *to = *(from + 2);
    *last-- -= from[0];
    last -= 1;
    *last += (int)(to - last);
}

//DL: AoS: f[n], g[n]
__kernel void go(__global cell *f, __global const cell *g, int n)
{
    int i = get_global_id(0);
    __global float *m = f[i].m, *p;
    __global const float *from = (i & 1 ? g[i].m : g[n - 1 - i].m) + 1;

    m[0] = sum(g[i].m, 5);
    m[i % 5] += sum(f[i].m + 2, 3);
    p = m + 4;
    *p = from[i % 4] + p[-1];
    p -= i & 3;
    *--p += from[-1];
    if (p != m && p > f[i].m)
        p[-1] += (float)(p - m);
    shift(f[i].parts[i & 3].more, g[i].parts[(i + 1) & 3].more);
    __global char *c = f[i].table[i & 1];
    for (int k = 0; k < 3; k++, c++)
        *c += g[i].table[k & 1][k];
}
