// The column leaves the row on both sides: it is the flat index that counts.
// run: go structs structs n w
//DL: AoS: in[n][width], out[n][width]
__kernel void go(__global const int *in, __global int *out, int n, int width)
{
    int row = get_global_id(0);
    int back = row ? 1 : 0, ahead = row + 1 < n ? width : 0;

    out[row * width] = in[row * width - back] ^ in[row * width + ahead];
    for (int j = -row * width; j < (n - row) * width; j += 1 + width / 2)
        out[row * width + width - 1] += in[row * width + j];
    for (int j = 0; j < n * width; j += 3)
        out[row * width] -= in[0 * width + j] + in[j];
    out[(row + 1) * width - 1] += in[(n - 1) * width - row * width + (width - 1) - 0];
    out[row * width + width / 2] ^= in[(row * 2 - row) * width];
}
