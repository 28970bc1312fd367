// run: go structs structs n
typedef struct {
    int row;
    float scale;
} header;

//DL: AoS: h[n]
//DL: AoS: data[n][4]
__kernel void go(__global const header *h, __global float *data, int n)
{
    int i = get_global_id(0);

    data[4 * i + 1] = data[(h[i].row % n) * 4] * h[i].scale;
    data[h[i].row % 3 + 1 + 4 * i] += 1.0f;
}
