// run: go structs structs n w
//DL: AoS: in[n][4 * width], out[n][4 * width]
__kernel void go(__global const float *in, __global float *out, int n, int width)
{
    int i = get_global_id(0);
    __global const float *row = in + 4 * width * i;

    for (int k = 0; k < width; k++) {
        float4 v = vload4(k, row) + vload4(i * width + k, in).wzyx;

        v.xy += vload2(0, &in[i * (4 * width) + 2]);
        vstore4(v, k, out + i * 4 * width);
    }
    vstore2(vload3(0, row + 1).zx, width * 2 - 1, &out[4 * width * i]);
}
