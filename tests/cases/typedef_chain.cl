// run: go structs
typedef float real;
struct base {
    real x;
    real v[2];
};
typedef struct base base_t;
typedef base_t cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __global struct base *p = f + get_global_id(0);

    p->x += (real)1;
    p->v[1] = p->x;
}
