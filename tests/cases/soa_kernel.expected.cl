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
//DL-table: 2
//DL-kernel: flat 2
//DL-buffer: f arg 0 write soa bytes 76 line 8 type float
//DL-leaves: 0+4*19
//DL-structs: arg(1, i4, 0)
//DL-end: flat
//DL-kernel: more 4
//DL-buffer: p arg 0 read soa bytes 16 line 14 type point
//DL-leaves: 0+4*2 8+8
//DL-structs: arg(2, i4, 0) + 1
//DL-buffer: q arg 1 write soa bytes 16 line 14 type int4
//DL-leaves: 0+16
//DL-width: arg(3, i4, 0)
//DL-structs: *
//DL-end: more
