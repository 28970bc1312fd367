// group: 4
// run: go structs structs words:1 n
/* Whole structs go to local memory and back through pointers to other types, by offsets in these that are whole structs;
 * from before the pointer, too. */
typedef struct {
    float x, y;
    char c;
    int n;
} point;

//DL: AoS: p[n], q[n]
__kernel void go(__global const point *p, __global point *q, __global int *out, int n)
{
    __local point l[4];
    size_t size = get_local_size(0), group = get_group_id(0), id = get_local_id(0);
    int back = 1, first = group * size, count = min(4, n - first);
    __global point *behind = q + (first + 1);
    event_t e = async_work_group_copy(
        (__local char *)l, (__global const char *)p + group * size * sizeof(point),
        count * sizeof(point), 0);

    wait_group_events(1, &e);
    if (id < count) {
        out[get_global_id(0)] = l[id].n + p[get_global_id(0)].c;
        l[id].n ^= 5;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy((__global int *)behind + -back * 4, (__local int *)l,
                              4 * count, 0);
    wait_group_events(1, &e);
}
