// detect: on
/* Nothing is transformed, and nothing is warned of: nobody has asked. */
typedef struct {
    int x, y;
} pair;

__kernel void settings(__global const pair *f, __global int *out)
{
    out[get_global_id(0)] = f->x + f->y;
}

__kernel void stored(__global pair *f)
{
    __global pair *all[2] = {f, f + 1};

    all[get_global_id(0) & 1]->x = 1;
}

__kernel void unused(__global pair *f)
{
}
