// run: go structs structs n
typedef struct {
    int next;
    float w;
} link;

//DL: AoS: g[n], f[n]
__kernel void go(__global const link *g, __global link *f, int n)
{
    int i = get_global_id(0);

    f[i].w = g[g[g[i].next % n].next % n].w;
    f[i].next = f[i].next > 0 ? g[(uint)g[i].next % n].next : 0;
}
