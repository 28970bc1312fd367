// run: go structs structs n
typedef struct {
    float x, y;
} pair;

//DL: AoS: f[n], out[n]
__kernel void go(__global const pair *f, __global pair *out, int n)
{
    int i = get_global_id(0);
    float sum = 0.0f;

    for (__global const pair *p = f, *end = f + n; p < end; p++)
        sum += p->x;
    for (__global const pair *p = f + (n - 1); p >= f + i; --p)
        sum -= p->y;
    out[i].x = sum;
}
