typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    *(__global float2 *)&f[get_global_id(0)] += 1.0f;
}
