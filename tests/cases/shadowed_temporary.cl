// run: go structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    int i = get_global_id(0);
    __global pair *p = &f[i];

    {
        pair p = f[i];

        p.x += 1;
        f[i].y = p.x;
    }
    p->x = 2;
}
