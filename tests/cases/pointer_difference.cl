// run: go structs n
typedef struct {
    int x, y, z;
} triple;

//DL: AoS: f[n]
__kernel void go(__global triple *f, int n)
{
    __global triple *p = f + get_global_id(0), *last = &f[n - 1];

    p->x = (int)(last - p) * 2;
    p->y = p - f;
    p->z = (f - p) < 0 ? 1 : (int)(&p[0] - &f[0]);
}
