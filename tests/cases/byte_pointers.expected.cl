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

//DL: AoS: src[n] AOS2ASTA_block, f[n] AOS2ASTA_block, own[n] AOS2ASTA_block
//DL-table: 2
/* prelude */
static __global char *dl_block_qs(__global const block *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(char, dl_f, dl_i, 34, 2 + dl_k0 * 1, 1);
}
#line 9
static DL_INLINE int dl_other(__global const block *b, dl_index dl_at_b DL_PARAMS(b), int i)
{
    dl_index words = dl_at_b;

    words += (dl_index)(17 * i) * (dl_index)0xf0f0f0f0f0f0f0f1ul;
    return (*dl_block_qs(b, (words), (4) DL_ARGS(b)));
}
//DL-kernel: rows 7
//DL-sums: exact
//DL-buffer: src arg 0 read aos bytes 34 line 17 type block
//DL-leaves: 0+2 2+1*32
//DL-structs: arg(6, i4, 0)
//DL-whole: 34 arg(3, i8, 0)
//DL-whole: 34 arg(4, i4, 0)
//DL-access: linear 1 4+1 read
//DL-access: linear 1 3+1 read
//DL-buffer: f arg 1 write aos bytes 34 line 17 type block
//DL-leaves: 0+2 2+1*32
//DL-structs: arg(6, i4, 0)
//DL-whole: 34 arg(3, i8, 0)
//DL-access: linear 1 5+1 write
//DL-buffer: own arg 2 write aos bytes 34 line 17 type block
//DL-leaves: 0+2 2+1*32
//DL-structs: arg(6, i4, 0)
//DL-access: linear 1 2+1 write
//DL-access: linear 1 3+1 read
//DL-access: linear 1 6+1 read
//DL-end: rows
#ifndef DL_TILING
#line 18
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
#else
#line 18
__kernel void rows(__global const void *src, __global block *f, __global void *own, long offset, int stride,
                   __global int *out, int n DL_PARAMS(src) DL_PARAMS(f) DL_PARAMS(own))
{ dl_index dl_at_src = 0; dl_index dl_at_f = 0; dl_index dl_at_own = 0;
    int i = get_global_id(0);
    dl_index from = (dl_index)dl_at_src + (dl_index)((long)(offset) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul;
    dl_index to;

    dl_at_src = ((dl_index)dl_at_src + (dl_index)((long)(stride) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul);
    to = (dl_index)dl_at_f + (dl_index)((long)((size_t)i * sizeof(block)) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul;
    dl_at_f = (to + (dl_index)((long)((size_t)offset) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul);
    dl_at_own = (dl_index)dl_at_own + 1;
    out[i] = (*dl_block_qs((__global const block *)src, ((from + (dl_index)((long)((size_t)i * sizeof *f) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul)), (2) DL_ARGS(src))) + (*dl_block_qs((__global const block *)src, ((dl_index)dl_at_src) + i, (1) DL_ARGS(src)));
    (*dl_block_qs(f, dl_at_f, (3) DL_ARGS(f))) = (char)out[i];
    (*dl_block_qs((__global const block *)own, ((dl_index)dl_at_own) + i, (0) DL_ARGS(own))) = (char)i;
    out[i] -= (*dl_block_qs((__global const block *)own, ((dl_index)dl_at_own) + i, (1) DL_ARGS(own))) + dl_other((__global block *)own, dl_at_own DL_ARGS(own), i);
}
#endif
#line 33

