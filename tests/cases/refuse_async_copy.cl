typedef struct {
    float4 x;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __local float4 l[4];
    event_t e = async_work_group_copy(l, &f[0].x, 4, 0);

    wait_group_events(1, &e);
}
