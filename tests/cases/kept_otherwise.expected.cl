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

//DL: AoS: f[global_size(0)] AOS2ASTA_item
//DL-table: 2
/* prelude */
static __global float *dl_item_x(__global const item *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_item_y(__global const item *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: touch 1
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 31 type item
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: touch
#line 32
__kernel void touch(__global item *f DL_PARAMS(f))
{
    (*dl_item_x(f, get_global_id(0) DL_ARGS(f))) += (*dl_item_y(f, get_global_id(0) DL_ARGS(f)));
}

//DL: AoS: f[global_size(0)] AOS2ASTA_item
//DL-kernel: aligned 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 37 type item
//DL-leaves: 0+4*2
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 write
//DL-access: linear 1 0+4 read
//DL-end: aligned
#line 38
__kernel void aligned(__global item *f, __global float *out DL_PARAMS(f))
{
    size_t number = (size_t)out;
    __global float *a = (__global float *)((number + 15) & ~(size_t)15);
    __global float *null = (__global float *)0;

    (*dl_item_y(f, get_global_id(0) DL_ARGS(f))) = a == out && a != null ? 1.f : (*dl_item_x(f, get_global_id(0) DL_ARGS(f)));
}
