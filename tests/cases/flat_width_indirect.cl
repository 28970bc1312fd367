// run: go structs structs words:1 n w
#define AT(r, c) ((r) * (width) + (c))
//DL: AoS: in[n][width], out[n][width]
__kernel void go(__global const int *in, __global int *out, __global const int *order, int n,
                 int width)
{
    int i = get_global_id(0);
    int r = (order[i] & 0xffff) % n, c = (order[i] & 0xffff) % width;

    out[AT(i, c)] = in[AT(r, c)] + in[AT((in[AT(r, 0)] & 0xff) % n, (in[i] & 0xff) % width)];
    out[AT(i, c)] += in[(order[n - 1 - i] & 0xffff) % (n * width)]; // any element at all
    out[i * width + /* the last */ width - 1] += in[AT(i,
                                                      c ? c - 1 : 0)];
    int k = i * width;
    int last = in[k++ + (width - 1)];
    out[k - 1] ^= last + in[(r, k - 1)];
}
