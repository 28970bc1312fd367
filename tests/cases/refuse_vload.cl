typedef struct {
    float v[4];
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);
    float4 v = vload4(0, f[i].v);

    f[i].v[0] = v.y;
}
