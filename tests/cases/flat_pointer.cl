// run: go structs structs n
//DL: AoS: in[n][4], out[n][4]
__kernel void go(__global const float *in, __global float *out, int n)
{
    int i = get_global_id(0);
    __global const float *p = in + 4 * i, *end = p + 4;
    __global float *o = &out[4 * i];
    float sum = 0.0f;

    while (p != end)
        sum += *p++ * 0.5f;
    o[0] = sum;
    *(o + 1) = o[0] + p[-1];
    o += 2;
    *o = (float)(end - in) + (float)(o - out);
    o[1] = in[4 * i + 3];
}
