// run: go structs n
//DL: AoS: c[n][2]
__kernel void go(__global int *c, int n)
{
    int i = get_global_id(0);

    atomic_add(&c[2 * (i / 2)], i);
    atomic_inc(c);
    atomic_max(c + 1, i);
    atomic_or((volatile __global uint *)&c[2 * i + 1], 1u);
}
