// detect: on
// run: blocks structs+9 long:34 long:-34 words:1 ints:102,n
/* Pointers that are moved by bytes: by constants, and by arguments, of which the launch sees that they are whole structs. */
typedef struct {
    half d;
    char qs[32];
} block;
typedef struct {
    int twice, n;
} sizes;

__kernel void blocks(__global char *w, ulong offset, long back, __global int *out, sizes s)
{
    int i = get_global_id(0);
    ulong first = 3 * offset;

    w = w + first;
    w += back;
    w -= 2 * back + 34;
    for (int k = 0; k < 3; k++) {
        __global const block *b = (__global const block *)(w + i * offset - k * back);

        out[i] += b[1].qs[k];
    }
    w = (i & 1 ? w + 34 * i : 34 * i + w) + offset;
    ((__global block *)w)->qs[5] = (char)i;
}
