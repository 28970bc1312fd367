// run: go structs
typedef struct {
    double d;
    long l;
    ulong u[2];
    double2 v;
} wide;

//DL: AoS: f[global_size(0)]
__kernel void go(__global wide *f)
{
    int i = get_global_id(0);

    f[i].d *= 2.0;
    f[i].l = f[i].u[i & 1] - 1;
    f[i].v.y += f[i].d;
}
