// run: go structs words:2 words:2 structs words:1 n
// Of five buffers two can't be transformed and one is misspelt: the others are.
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n], g[n]
//DL: AoS: out[n]
//DL: AoS: h[n], misspelt[n]
__kernel void go(__global pair *f, __global pair *g, __global int *out, __global pair *h,
                 __global int *plain, int n)
{
    int i = get_global_id(0);
    __global int *words = (__global int *)g;

    f[i].x += words[2 * i];
    h[i].y ^= f[n - 1 - i].y;
    out[2 * i] = h[i].x + plain[i];
}
