typedef struct {
    float x, y;
} pair;
typedef struct {
    pair in, out;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __global pair *p = &f[get_global_id(0)].in;

    p++;
    p->x = 1.0f;
}
