// run: touch structs
// run: aligned structs
// Pointers that are read from memory of the work-item's own, or made of a pointer's own number, lead to no
// other kernel's buffer, nor do numbers that are made of the work-item's place.
typedef struct {
    float x, y;
} item;
typedef struct {
    __global float *out;
    __global item *none;
    int at;
} own;

float read(const own *o)
{
    return o->out[o->at];
}

__kernel void keeps(__global float *out)
{
    own o = {out, 0, get_global_id(0)}, *p = &o;

    int tx = get_local_id(0) & 1;
    __global unsigned int *count = (__global unsigned int *)get_global_id(1);
    __global unsigned short *two = (__global unsigned short *)(long)tx;

    p->none = 0;
    out[o.at] = read(p) + (count + 1 == 0 || two + 1 == 0 ? 2.f : 1.f);
}

//DL: AoS: f[global_size(0)]
__kernel void touch(__global item *f)
{
    f[get_global_id(0)].x += f[get_global_id(0)].y;
}

//DL: AoS: f[global_size(0)]
__kernel void aligned(__global item *f, __global float *out)
{
    size_t number = (size_t)out;
    __global float *a = (__global float *)((number + 15) & ~(size_t)15);
    __global float *null = (__global float *)0;

    f[get_global_id(0)].y = a == out && a != null ? 1.f : f[get_global_id(0)].x;
}
