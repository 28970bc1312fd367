// options: -cl-std=CL2.0
typedef struct {
    int x, y;
} pair;

__constant int stride = 3;
__global int launches = 0;

//DL: AoS: f[n]
__kernel void go(__global pair *f, int n)
{
    f[get_global_id(0)].x = stride;
    if (get_global_id(0) == 0)
        launches++;
}
