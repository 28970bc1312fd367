// run: go structs
typedef struct {
    float x;
    uint u;
    float4 v;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);

    f[i].u ^= as_uint(f[i].x);
    f[i].x = as_float(as_uint(f[i].x) & 0xfffff000u);
    f[as_int(as_float(i))].v = as_float4(as_uint4(f[i].v) | 1u);
}
