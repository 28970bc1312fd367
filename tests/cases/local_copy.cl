// run: go structs structs
typedef struct {
    float x;
    int k;
} cell;

//DL: AoS: in[global_size(0)], out[global_size(0)]
__kernel void go(__global const cell *in, __global cell *out)
{
    __local cell tile[4];
    int i = get_global_id(0), l = get_local_id(0) & 3;

    tile[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[l].k += 3;
    out[i] = tile[l];
    out[i].x = tile[l].x * 2.0f;
}
