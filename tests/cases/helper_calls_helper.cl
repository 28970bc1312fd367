// run: go structs
typedef struct {
    int x, y;
} pair;

int get(__global pair *p) { return p->x; }
int twice(__global pair *p, int k) { return get(p) + get(p + k); }
void set(__global pair *p) { p->y = twice(p, 0); }

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    set(&f[get_global_id(0)]);
}
