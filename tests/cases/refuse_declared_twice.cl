typedef struct {
    int x, y;
} pair;
__kernel void go(__global pair *f), other(__global pair *f);
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void one(__global pair *f);

//DL: AoS: f[global_size(0)]
__kernel void go(__global pair *f)
{
    f[get_global_id(0)].x = 1;
}

//DL: AoS: f[global_size(0)]
__kernel void one(__global pair *f)
{
    f[get_global_id(0)].x = 1;
}

//DL: AoS: f[]
__kernel void both(__global pair *f)
{
    f->x = 1;
}
__kernel void outer(__global pair *f)
{
    both(f);
}
int plain(pair both)
{
    return both.x;
}
