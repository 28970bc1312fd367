// options: -DWAYS=4
// run: go structs
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef struct {
    float v[4];
} cell;

//DL: AoS: f[global_size(0)]
__kernel void go(__global cell *f)
{
    int i = get_global_id(0);

#pragma unroll WAYS
    for (int k = 0; k < WAYS; k++)
        f[i].v[k] += k;
}
