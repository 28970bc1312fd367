typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    float2 v = vload2(0, &f[get_global_id(0)].x);

    f[0].y = v.y;
}
