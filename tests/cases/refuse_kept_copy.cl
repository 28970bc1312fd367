// The same of one that is read by way of a copy of its struct, and of an array of pointers.
typedef struct {
    float x, y;
} item;
typedef struct {
    struct {
        __global item *items[2];
    } of[3];
    int count;
} scene;

float second(const scene *s, int i)
{
    return s->of[1].items[1][i].y;
}

__kernel void use(__constant scene *kept, __global float *out)
{
    scene s = *kept;

    out[get_global_id(0)] = second(&s, get_global_id(0));
}

//DL: AoS: f[global_size(0)]
__kernel void touch(__global item *f)
{
    f[get_global_id(0)].x += f[get_global_id(0)].y;
}
