typedef struct {
    int x, y;
} pair;

//DL: AoS: c[global_size(0)]
__kernel void go(__constant pair *c, __global int *out)
{
    out[0] = c[get_global_id(0)].x;
}
