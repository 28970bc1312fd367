// run: flat structs n
// Discrete arrays are the interposer's work: the text stays as it is.
typedef struct {
    float x, y;
    double z;
} point;

//DL: SoA: f[n][19]
__kernel void flat(__global float *f, int n)
{
    f[3 * n + get_global_id(0)] += f[get_global_id(0)];
}

//DL: SoA: p[n + 1], q[][width]
__kernel void more(__global const point *p, __global int4 *q, int n, int width)
{
    q[n] += (int4)(width);
}
