// run: go structs
typedef struct {
    int x, y;
} pair;

//DL: AoS: f[global_size(0)]
kernel_exec(1, int) void go(__global pair *f)
{
    int i = get_global_id(0);

    f[i].x = __OPENCL_VERSION__ + __OPENCL_C_VERSION__ + CL_VERSION_1_0 + CL_VERSION_1_2;
    f[i].y = __ENDIAN_LITTLE__;
    if (__OPENCL_VERSION__ >= CL_VERSION_1_1)
        f[i].y += 4;
}
