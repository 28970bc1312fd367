typedef struct {
    float x, y, z;
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    __global float *x = &f[get_global_id(0)].x;

    x[1] = x[2];
}

//DL: AoS: f[global_size(0)]
__kernel void moved(__global cell *f, int n)
{
    __global float *p = 0;

    p = n ? &f[0].x : &f[1].x;
    p++;
    *p = 1.0f;
}

//DL: AoS: f[global_size(0)]
__kernel void mixed(__global cell *f, __global float *other, int n)
{
    __global float *p;

    if (n)
        p = &f[0].x;
    else
        p = other;
    *p = 1.0f;
}
