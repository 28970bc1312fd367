// run: go structs words:8
/* Padding goes along: in a group's copy to local memory and back, and where the members have other types. */
typedef struct {
    char kind;
    float x;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f, __global int *out)
{
    __local int l[2];
    int i = get_global_id(0);
    event_t e = async_work_group_copy(l, (__global int *)&f[i], 2, 0);

    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = l[1];
    l[0] ^= 0x5a00a5;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy((__global int *)&f[i], l, 2, 0);
    wait_group_events(1, &e);
}
