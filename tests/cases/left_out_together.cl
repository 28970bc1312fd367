// run: go words:2 words:2 structs n
// Two that do not go by themselves, and one that does.
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n], g[n], h[n]
__kernel void go(__global pair *f, __global pair *g, __global pair *h, int n)
{
    int i = get_global_id(0);
    ulong at = i & 1 ? (ulong)&f[i] : (ulong)&g[i];

    ((__global pair *)at)->x = h[i].y;
    h[i].x++;
}
