typedef struct {
    float x;
    int n;
    double y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    double2 v = vload2(0, (__global double *)&f[get_global_id(0)].x);

    f[0].y = v.y;
}
