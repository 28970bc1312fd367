// detect: on
/* Bytes that may be no whole structs, or wrap, whatever the launch is. */
typedef struct {
    half d;
    char qs[32];
} block;

int first(__global char *bytes)
{
    return ((__global block *)(bytes + 34))->qs[0];
}

__kernel void go(__global char *read, __global char *wraps, __global char *helped, __global char *looked_at,
                 __global const ulong *at, uint stride, __global int *out)
{
    int i = get_global_id(0);
    uint row = get_global_id(0);

    out[i] = ((__global block *)(read + at[i]))->qs[0] + ((__global block *)(wraps + row * stride))->qs[0] +
             ((__global block *)(looked_at + 34 * i))->qs[0] + looked_at[1] + first(helped);
}
