typedef struct {
    float4 at;
    int k[3];
    short s;
} body;

float weight(__constant body *b, __global const body *g)
{
    return b->at.x * g[0].at.y + b[0].k[1];
}

//DL: AoS: c[n], f[n]
__kernel void go(__constant body *c, __global body *f, constant body *restrict plain, int n)
{
    int i = get_global_id(0);
    __constant body *p = c + (n - 1 - i);
    body copy = c[i];

    f[i].s += p->s + plain[i].s;
    f[i].k[i % 3] = copy.k[i % 3] + p[-(n - 1 - i)].k[2];
    f[i].at += weight(&c[i], &f[i]) + weight(plain, &f[i]);
    for (p = c; p < c + n; p++)
        f[i].k[0] += p->k[0];
    f[i].at.w = vload4(0, (__constant float *)&plain[i].at).z;
}
// run: go structs structs words:9 n
// ignore: 30+2
