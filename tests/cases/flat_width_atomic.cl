// run: go structs n w
//DL: AoS: c[n][width]
__kernel void go(__global int *c, int n, int width)
{
    int i = get_global_id(0);

    for (int j = 0; j < width; j++)
        atomic_add(&c[width * (i / 2) + j], i);
    atomic_inc(c);
    atomic_max(c + width - 1, i);
    atomic_or((volatile __global uint *)&c[i * width], 1u);
}
