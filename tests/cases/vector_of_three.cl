// run: go structs
// ignore: 12+4
typedef struct {
    float3 p;
    int k;
    float3 v[2];
} body;

//DL: AoS: f[global_size(0)]
__kernel void go(__global body *f)
{
    int i = get_global_id(0);

    f[i].p.z += f[i].v[1].x;
    f[i].v[i & 1].y = f[i].p.x;
    f[i].k++;
}
