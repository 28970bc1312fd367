// Not run here: arrays of the program are the interposer's to make.
// Kernels that reach structs where their annotation says arrays run as written, without a demand; those that may
// reach arrays, and one that also reads arrays of another buffer, keep theirs.
typedef struct {
    float x, y;
    int n;
} item;

//DL: SoA: f[n]
__kernel void subscript(__global item *f, int n)
{
    f[get_global_id(0)].y += 1.0f;
}

//DL: SoA: f[n]
__kernel void sum(__global item *f, int n)
{
    if (get_global_id(0) < n)
        (f + get_global_id(0))->n++;
}

//DL: SoA: f[]
__kernel void pointer(__global item *f)
{
    __global item *own = &f[get_global_id(0)];
    own->x = 0;
}

//DL: SoA: f[n]
__kernel void whole(__global const item *f, __global float *out, int n)
{
    item own = f[get_global_id(0)];
    out[get_global_id(0)] = own.x;
}

//DL: SoA: f[n]
__kernel void first_array(__global item *f, int n)
{
    __global float *x = &f->x;
    x[get_global_id(0)] += f[0].x;
}

//DL: SoA: f[n]
__kernel void cast(__global item *f, int n)
{
    ((__global int *)f)[2 * n + get_global_id(0)] += 1;
    ((__global float4 *)f)[get_global_id(0)].x += 1.0f;
}

float y_of(__global const item *one)
{
    return one->y;
}

float y_at(__global const item *items, int i)
{
    return y_of(items + i);
}

//DL: SoA: f[n]
__kernel void through_helpers(__global const item *f, __global float *out, int n)
{
    out[get_global_id(0)] = y_at(f, get_global_id(0));
}

float sum_of(__global const item *items, int n)
{
    __global const float *x = &items->x;
    return n ? x[n] + y_of(items) : 0;
}

//DL: SoA: f[n]
__kernel void first_through_helpers(__global const item *f, __global float *out, int n)
{
    out[get_global_id(0)] = sum_of(f, n);
}

//DL: SoA: f[n], g[n][2]
__kernel void beside(__global item *f, __global float *g, int n)
{
    f[get_global_id(0)].y += g[n + get_global_id(0)];
}
//DL-table: 2
//DL-kernel: subscript 2
//DL-refused: aos
//DL-end: subscript
//DL-kernel: sum 2
//DL-refused: aos
//DL-end: sum
//DL-kernel: pointer 1
//DL-refused: aos
//DL-end: pointer
//DL-kernel: whole 3
//DL-refused: aos
//DL-end: whole
//DL-kernel: first_array 2
//DL-buffer: f arg 0 write soa bytes 12 line 36 type item
//DL-leaves: 0+4*3
//DL-structs: arg(1, i4, 0)
//DL-end: first_array
//DL-kernel: cast 2
//DL-buffer: f arg 0 write soa bytes 12 line 43 type item
//DL-leaves: 0+4*3
//DL-structs: arg(1, i4, 0)
//DL-end: cast
//DL-kernel: through_helpers 3
//DL-refused: aos
//DL-end: through_helpers
//DL-kernel: first_through_helpers 3
//DL-buffer: f arg 0 read soa bytes 12 line 72 type item
//DL-leaves: 0+4*3
//DL-structs: arg(2, i4, 0)
//DL-end: first_through_helpers
//DL-kernel: beside 3
//DL-refused: soa
//DL-end: beside
