// The width is that of the arguments, whatever becomes of its name.
// run: go structs structs n w
//DL: AoS: in[n][width], out[n][width]
__kernel void go(__global const int *in, __global int *out, int n, int width)
{
    int i = get_global_id(0), whole = width, pitch = width;

    width = (width + 1) / 2;
    pitch--;
    for (int j = 0; j < width; j++)
        out[i * whole + j] = in[i * width + j] + in[i * pitch + j / 2];
    {
        int whole = 1;
        out[i * pitch + i] ^= in[i * whole];
    }
}
