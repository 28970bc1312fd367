typedef struct {
    float x, y;
} point;

//DL: AoS: p[]
__kernel void go(__global const point *p, __constant int *n)
{
    __local point l[8];
    event_t e = async_work_group_copy((__local char *)l, (__global const char *)p + n[0] * 4,
                                      sizeof l, 0);

    wait_group_events(1, &e);
}
