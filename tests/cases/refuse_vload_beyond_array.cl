typedef struct {
    float v[6];
    float w;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);

    f[i].w = vload4(0, &f[i].v[3]).w;
}
