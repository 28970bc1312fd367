typedef struct {
    char kind;
    float x;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __local float l[8];
    event_t e = async_work_group_copy(l, (__global float *)f, 8, 0);

    wait_group_events(1, &e);
}
