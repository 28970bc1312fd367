// run: go structs n
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[n]
__kernel void go(__global pair *f, int n)
{
    int i = get_global_id(0);
    __global pair *p;
    __global pair *q = f;

    if (i & 1)
        p = &f[n - 1 - (n - 1 - i)];
    else
        p = q + i;
    p->x = i;
    q = p;
    q->y += 1;
}
