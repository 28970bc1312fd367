typedef struct {
    int x, y;
} pair;

//DL: AoS: f[], g[]
__kernel void go(__global pair *f, __global pair *g, __global int *out)
{
    int i = get_global_id(0);
    __global pair *p = i & 1 ? f : g;

    out[i] = p == g;
}

//DL: AoS: f[], g[]
__kernel void between(__global pair *f, __global pair *g, __global int *out)
{
    int i = get_global_id(0);
    __global pair *p = i & 1 ? f : g;

    out[i] = (int)(p - g);
}
