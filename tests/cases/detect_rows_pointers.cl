// run: move structs structs words:1
// detect: on
// Rows are found behind pointers that are moved, run along a row, and go to helpers.
#define W 6
#define INDEX(x, e) ((e) + W * (x))

float sum(__global const float *row)
{
    float all = 0.0f;

    for (int e = 0; e < W; e++, row++)
        all += *row;
    return all;
}

void turn(__global const float *from, __global float *to, int by)
{
    to[INDEX(by, 1)] = from[2];
    to[INDEX(0, 2)] = from[1];
}

__kernel void move(__global const float *src, __global float *dst, __global const float *plain)
{
    const int i = get_global_id(0);
    __global const float *from = src + INDEX(i, 0);
    __global float *to, *end;

    dst += INDEX(1, 0);
    to = dst - W + i * W;
    end = to + W;
    turn(from, to, 0);
    to[0] = sum(from) + plain[i];
    while (to < end)
        *to++ += 0.5f;
}
