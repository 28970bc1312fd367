typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[0].x = (ulong)&f[get_global_id(0)];
}
