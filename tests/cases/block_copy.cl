// Blocks of structs copied by a work-group, to local memory and back, and prefetched.
typedef struct {
    float x, y;
    int n[4];
    float2 v;
} cell;
typedef struct {
    uchar kind, age;
    ushort at;
    float w;
} mixed;

#define PER(type) (sizeof(cell) / sizeof(type))

//DL: AoS: f[n], g[n], m[n]
__kernel void go(__global cell *f, __global const cell *g, __global mixed *m,
                 __global float *out, int n)
{
    __local cell l[8];
    __local float xs[8];
    __local mixed k[8];
    int i = get_global_id(0), j = get_local_id(0), first = get_group_id(0) * 8;
    int count = min(8, n - first), p = first;
    event_t e = async_work_group_copy((__local float *)l, (__global const float *)&g[first],
                                      count * PER(float), 0);

    prefetch((__global const float *)&g[first], count * PER(float));
    e = async_work_group_copy((__local uint2 *)k, (__global const uint2 *)(m + first), count, e);
    e = async_work_group_strided_copy(xs, &f[first].y, count, PER(float), e);
    prefetch(&f[p++].x, count++);
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    count--;
    if (j < count) {
        l[j].x += xs[count - 1 - j] + p;
        l[j].n[j & 3] ^= k[j].at;
        k[j].w = l[j].v.y;
        k[j].age++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (j < count)
        xs[j] = l[j].y * 2.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy((__global float4 *)&f[first], (__local const float4 *)l,
                              count * PER(float4), 0);
    wait_group_events(1, &e);
    e = async_work_group_copy((__global uchar *)(m + first), (__local uchar *)k,
                              count * sizeof(mixed), 0);
    wait_group_events(1, &e);
    e = async_work_group_strided_copy((__global float *)&f[first].v, xs, count, PER(float), 0);
    wait_group_events(1, &e);
    e = async_work_group_copy((__local int *)xs, &f[first].n[1], 3, 0);
    wait_group_events(1, &e);
    if (i < n)
        out[i] = as_int(xs[j % 3]);
}
// group: 8
// run: go structs structs structs words:1 n
