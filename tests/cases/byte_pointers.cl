// run: rows structs+9 structs+9 structs+1 long:68 int:34 words:1 n
/* Pointers that count bytes, in variables, and arguments of another type, changed. */
typedef struct {
    half d;
    char qs[32];
} block;

/* By constants in a helper; by words. */
int other(__global const block *b, int i)
{
    __global const short *words = (__global const short *)b;

    words += 17 * i;
    return ((__global const block *)words)->qs[4];
}

//DL: AoS: src[n], f[n], own[n]
__kernel void rows(__global const void *src, __global block *f, __global void *own, long offset, int stride,
                   __global int *out, int n)
{
    int i = get_global_id(0);
    __global const char *from = (__global const char *)src + offset;
    __global char *to;

    src = (__global const void *)((__global const char *)src + stride);
    to = (__global char *)f + (size_t)i * sizeof(block);
    f = (__global block *)(to + (size_t)offset);
    own = (__global block *)own + 1;
    out[i] = ((__global const block *)(from + (size_t)i * sizeof *f))->qs[2] + ((__global const block *)src)[i].qs[1];
    f->qs[3] = (char)out[i];
    ((__global block *)own)[i].qs[0] = (char)i;
    out[i] -= ((__global block *)own)[i].qs[1] + other(own, i);
}
