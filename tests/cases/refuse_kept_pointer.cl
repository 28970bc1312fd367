// A pointer that a kernel keeps in memory may lead another to any buffer.
typedef struct {
    float x, y;
} item;
typedef struct {
    __global item *items;
    int count;
} scene;

__kernel void keep(__global scene *s, __global item *items, int count)
{
    s->items = items;
    s->count = count;
}

__kernel void use(__global const scene *s, __global float *out)
{
    out[get_global_id(0)] = s->items[get_global_id(0)].y;
}

//DL: AoS: f[global_size(0)]
__kernel void touch(__global item *f)
{
    f[get_global_id(0)].x += f[get_global_id(0)].y;
}
