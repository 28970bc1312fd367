// run: go structs structs n w
//DL: AoS: c[n][width], d[n][width]
__kernel void go(__global int *c, __global int *d, int n, int width)
{
    int i = get_global_id(0);

    for (int j = 0; j < width; j++)
        atomic_add(&c[width * (i / 2) + j], i);
    atomic_inc(c);
    atomic_sub(c + width - 1, 2);
    atomic_or((volatile __global uint *)&d[i * width], 1u);
    atomic_max(&d[i * width + width - 1], i);
}
