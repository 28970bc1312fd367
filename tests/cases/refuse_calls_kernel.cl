typedef struct {
    int x, y;
} pair;

__kernel __attribute__((cold)) void sized(__global pair *f)
{
    f->x = 1;
}

__kernel void shares(__global pair *f)
{
    __local int l[2];

    l[0] = f->x;
    f->y = l[0];
}

//DL: AoS: f[]
__kernel void outer(__global pair *f)
{
    sized(f);
}

//DL: AoS: f[]
__kernel void other(__global pair *f)
{
    shares(f);
}
