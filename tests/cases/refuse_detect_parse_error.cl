// detect: on
__kernel void go(__global int *f)
{
    f[0] = nowhere;
}
