// options: -cl-std=CL1.1
// run: go structs
typedef struct {
    int x, y;
} pair;
int sum(__global const pair *p)
{
    return p->x + p->y;
}

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);
    pair p = f[i];

    f[i].x = sum(&f[i]) + p.y;
}
