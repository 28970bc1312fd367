typedef struct {
    int x, y;
} pair;

//DL: AoS: f[], g[]
__kernel void go(__global pair *f, __global pair *g, __global pair *h, __global int *out)
{
    int i = get_global_id(0);
    __global pair *p = i & 1 ? f : g;

    out[i] = p == h;
}

__global pair *of_three(__global pair *f, __global pair *g, __global pair *h, int i)
{
    return i == 2 ? h : i ? g : f;
}

//DL: AoS: f[], g[]
__kernel void returned(__global pair *f, __global pair *g, __global pair *h, __global int *out)
{
    int i = get_global_id(0);
    __global pair *p = of_three(f, g, h, i);

    out[i] = p->x;
}

//DL: AoS: f[], g[]
__kernel void not_in_a_variable(__global pair *f, __global pair *g, __global int *out)
{
    int i = get_global_id(0);

    out[i] = of_three(f, g, g, i)->x;
}
