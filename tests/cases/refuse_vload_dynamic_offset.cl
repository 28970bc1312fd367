typedef struct {
    float v[4];
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    vstore4(1.0f, get_global_id(0), f->v);
}
