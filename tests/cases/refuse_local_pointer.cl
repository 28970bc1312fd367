typedef struct {
    int x, y;
} pair;

//DL: AoS: l[global_size(0)]
__kernel void go(__local pair *l, __global int *out)
{
    l[get_local_id(0)].x = 1;
    out[0] = l[0].x;
}
