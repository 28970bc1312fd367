// run: go structs
typedef struct {
    int head;
    float data[300];
    int tail;
} block;

//DL: AoS: f[global_size(0)]
__kernel void go(__global block *f)
{
    int i = get_global_id(0);
    block b = f[i];

    b.head += b.tail;
    b.data[i] += 1.0f;
    f[i] = b;
    for (int k = 0; k < 300; k += 7)
        f[i].data[k] += f[i].data[299 - k];
}
