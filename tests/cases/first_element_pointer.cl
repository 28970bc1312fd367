// run: go structs words:1 n
// The address of an array's element is as the array plus the index.
typedef struct {
    float x;
    int h[5];
    float w[2][3];
} line;

void put(__global float *row, int k, float v)
{
    row[k % 3] += v;
}

//DL: AoS: l[n]
__kernel void go(__global line *l, __global int *out, int n)
{
    int i = get_global_id(0), k = out[i] & 3;
    __global int *f = &l[i].h[0], *g;
    __global const float *w = (__global const float *)&l[i].w[k & 1][0];

    f[k] ^= f[k + 1];
    for (g = k ? &l[i].h[1] : f; g < &l[i].h[5]; g++)
        *g += 3;
    put(&l[i].w[1][0], i, w[i % 3] + l[i].x);
    out[i] = vload2(0, f).y + (g - f);
    atomic_xchg(&l[i].h[4], k);
}
