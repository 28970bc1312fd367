// Rows copied by a work-group, and prefetched.
//DL: AoS: f[n][6], g[n][6], h[n][width]
__kernel void go(__global float *f, __global const float *g, __global uint *h, int n, int width)
{
    __local float l[8 * 6];
    __local uint k[40];
    int j = get_local_id(0), first = get_group_id(0) * 8, count = min(8, n - first);
    __global const float *from = g + 6 * first;
    event_t e = async_work_group_copy(l, from, count * 6, 0);

    e = async_work_group_copy(k, h + first * width, width, e);
    prefetch(f + 6 * first, 6 * count);
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < count)
        l[j * 6 + j % 6] += k[j % width];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy((__global float2 *)(f + first * 6), (__local float2 *)l, count * 3, 0);
    wait_group_events(1, &e);
    e = async_work_group_strided_copy(l, &f[first * 6 + 2], count, 6, 0);
    wait_group_events(1, &e);
    if (j < count)
        h[(first + j) * width] = as_uint(l[j]);
}
// group: 8
// run: go structs structs structs n w
