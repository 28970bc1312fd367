float __attribute__((overloadable)) vload_half(size_t offset, __global half *p) { return 1.0f; }

//DL: AoS: f[][3]
__kernel void go(__global half *f, __global float *out)
{
    out[get_global_id(0)] = vload_half2(get_global_id(0), f).x;
}
