typedef struct {
    float x, y;
} pair;

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    __global pair *two[2] = {f, f + 1};

    two[get_global_id(0) & 1]->x = 1.0f;
}
