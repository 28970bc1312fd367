// run: go structs structs structs structs n
// Bytes of members of wider elements: through casts, and helpers that take them as void.
typedef struct {
    uint n, v[8];
    short s[6];
    float3 w;
    double d;
} pw;
typedef struct __attribute__((packed)) {
    uchar t;
    uint v[3];
    ulong l;
} tight;
typedef union {
    float4 v[2];
    int i[8];
} either;

void from(void *dst, __global const void *src, uint count)
{
    for (uint k = 0; k < count; k++)
        ((char *)dst)[k] = ((__global const char *)src)[k];
}

void to(__global uchar *restrict dst, const void *restrict src, uint count)
{
    const uchar *s = src;

    while (count-- > 0)
        dst[count] = s[count];
}

uint sum_constant(__constant void *any, int n)
{
    uint t = 0;

    while (n-- > 0)
        t = t * 5 + ((__constant uchar *)any)[n];
    return t;
}

//DL: AoS: f[n], h[n], e[n], c[n]
__kernel void go(__global pw *f, __global const tight *h, __global either *e, __constant pw *c, int n)
{
    int i = get_global_id(0);
    uint at = (f[i].n % 12) ^ 3;
    char mine[32];

    from(mine, h[i].v, 12);
    from(mine + 12, (__global const uint *)h[n - 1 - i].v + 1, 8);
    from(mine + 20, &h[i].l, 8);
    to((__global void *)(e[i].i + 3), mine, 17);
    ((__global uchar *)f[i].s)[at] ^= mine[i & 15];
    f[i].n = sum_constant(c[i].v + 1, 28) + sum_constant(&c[i].w, 12) + sum_constant(&c[i].d, i & 7);
}
