// run: go structs n
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n]
__kernel void go(__global pair *f, int n)
{
    __global pair *p = &f[get_global_id(0)];

    if (p != f && p == f + (n - 1))
        p->x = 1;
    p->y = (p < f + n / 2) + 2 * (p >= f) + 4 * (f <= p) + 8 * (p > f);
}
