typedef struct {
    double d;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    *(__global int *)&f[get_global_id(0)].d = 1;
}
