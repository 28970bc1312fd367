typedef struct {
    float x, y;
} pair;
typedef struct {
    float y, x;
    pair in;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __global pair *p = f;

    p[get_global_id(0)].x = 1.0f;
}
