#define NX 64
#define NY 32

//DL: grid: f[NY][NX] as y[*] x y[1:0]
__kernel void row(__global float (*f)[NX])
{
    __global float *r = f[get_global_id(1)];

    r[get_global_id(0)] = 1;
}

//DL: grid: f[NY][NX] as y[*] x y[1:0]
__kernel void moved(__global float *f)
{
    __global float (*a)[NX] = (__global float (*)[NX])f;

    a += 1;
    a[get_global_id(1)][get_global_id(0)] = 1;
}

//DL: grid: f[NY][NX] as y[*] x y[1:0]
__kernel void sum(__global float (*f)[NX])
{
    (*(f + 1))[get_global_id(0)] = 1;
}

//DL: grid: f[NY][NX], g[NY][NX] as y[*] x y[1:0]
__kernel void either(__global float (*f)[NX], __global float (*g)[NX], int c)
{
    (c ? f : g)[1][get_global_id(0)] = 1;
}
