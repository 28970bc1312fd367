// run: go structs words:2
typedef struct {
    int x, y;
} pair;

int sum(__global pair *p) { return p->x + p->y; }

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f, __global pair *plain)
{
    int i = get_global_id(0);

    f[i].x = sum(&plain[i]) - sum(&f[i]);
    plain[i].y = sum(&f[i]);
}
