// run: go structs
typedef struct {
    float4 pos;
    int2 id;
    float2 v;
} body;

//DL: AoS: b[global_size(0)]
__kernel void go(__global body *b)
{
    size_t i = get_global_id(0);
    float4 p = b[i].pos;

    b[i].pos = p * 2.0f + (float4)(b[i].v, 0.0f, 1.0f);
    b[i].v = b[i].pos.xy;
}
