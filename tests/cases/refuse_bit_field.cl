typedef struct {
    int a : 3;
    int b;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].b = 1;
}
