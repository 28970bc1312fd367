typedef struct {
    float x, y;
} cell;
//DL: AoS: f[sizeof(f) * 2];
__kernel void go(__global cell *f)
{
    f[get_global_id(0)].x = 1.0f;
}
