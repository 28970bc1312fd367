// A pointer in local memory is the whole group's, whoever sets it.
typedef struct {
    float x, y, w[2];
} item;
typedef __global item *pointer;

//DL: AoS: f[global_size(0)]
__kernel void one(__global item *f)
{
    __global item *__local first;

    if (get_local_id(0) == 0)
        first = f + get_group_id(0) * get_local_size(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    first[get_local_id(0)].x += 1.f;
}

//DL: AoS: f[global_size(0)]
__kernel void named(__global item *f)
{
    __local pointer first;

    if (get_local_id(0) == 0)
        first = &f[get_group_id(0) * get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    first[get_local_id(0)].x += 1.f;
}

//DL: AoS: f[global_size(0)]
__kernel void part(__global item *f)
{
    __global float *__local first;

    if (get_local_id(0) == 0)
        first = f[get_group_id(0)].w;
    barrier(CLK_LOCAL_MEM_FENCE);
    f[get_global_id(0)].x = first[1];
}
