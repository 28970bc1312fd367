// run: go structs
typedef struct {
    char c[3];
    double d;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __global cell *p = &f[get_global_id(0)];

    p->c[0] = sizeof(*p) + sizeof p->d;
    p->c[1] = sizeof(p[0].c[1]);
}
