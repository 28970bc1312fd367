// run: go structs
typedef struct {
    float4 pos;
    float2 v;
} body;

//DL: AoS: b[global_size(0)]
__kernel void go(__global body *b)
{
    size_t i = get_global_id(0);

    b[i].pos.x += b[i].v.y;
    b[i].pos.zw = b[i].v.yx * b[i].pos.lo;
    b[i].pos.s1 = b[i].pos.even.x;
    b[i].v.odd *= 0.5f;
}
