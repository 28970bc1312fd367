// run: go structs
typedef struct {
    float x;
    int n;
} cell;

float half_of(__global const float *v)
{
    return *v * 0.5f;
}
void bump(__global int *n, int by)
{
    n[0] += by;
    atomic_inc(n);
}
void bump_twice(__global int *n)
{
    bump(n, 1);
    bump((n), 2);
}

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);
    __global cell *p = &f[i];

    p->x = half_of(&f[i].x);
    bump_twice(&p->n);
}
