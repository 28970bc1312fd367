// run: go structs n
typedef struct {
    int x, y;
} pair;

typedef struct {
    pair at;
    int m[2];
    pair more[2];
} cell;

//DL: AoS: f[n]
__kernel void go(__global cell *f, int n)
{
    int i = get_global_id(0);
    __global pair *p = 0;
    __global int *q = 0, *r = f[i].m;

    if (i & 1)
        p = &f[i].at;
    else if (i & 4)
        p = &f[i].more[1];
    if (i & 2)
        q = r;
    if (p)
        p->x += 5;
    if (q)
        q[1] ^= i;
}
