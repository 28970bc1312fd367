// The same of a pointer that is kept as a number.
typedef struct {
    float x, y;
} item;

__global item *of(__global const ulong *kept)
{
    ulong at = kept[0] + sizeof(item);

    return (__global item *)at;
}

__kernel void use(__global const ulong *kept, __global float *out)
{
    out[get_global_id(0)] = of(kept)[get_global_id(0)].y;
}

//DL: AoS: f[global_size(0)]
__kernel void touch(__global item *f)
{
    f[get_global_id(0)].x += f[get_global_id(0)].y;
}
