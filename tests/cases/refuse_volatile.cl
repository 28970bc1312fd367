typedef struct {
    int a, b;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(volatile __global cell *f)
{
    f[get_global_id(0)].b = 1;
}
