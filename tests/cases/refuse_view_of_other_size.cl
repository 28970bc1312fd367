typedef struct {
    int low, high;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    *(__global double *)&f[get_global_id(0)].low = 1;
}
