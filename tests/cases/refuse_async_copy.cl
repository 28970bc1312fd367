//DL: AoS: f[n][6]
__kernel void go(__global float *f, int n)
{
    __local double l[8];
    event_t e = async_work_group_copy(l, (__global double *)f, 8, 0);

    wait_group_events(1, &e);
}
