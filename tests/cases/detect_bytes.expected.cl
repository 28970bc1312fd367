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

//DL: AoS: w[] AOS2ASTA_block
//DL-table: 2
/* prelude */
static __global char *dl_block_qs(__global const block *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(char, dl_f, dl_i, 34, 2 + dl_k0 * 1, 1);
}
//DL-kernel: blocks 5
//DL-sums: exact
//DL-detected: 0 3
//DL-buffer: w arg 0 write aos bytes 34 line 12 type block
//DL-leaves: 0+2 2+1*32
//DL-structs: *
//DL-whole: 34 arg(1, u8, 0)
//DL-whole: 34 arg(2, i8, 0)
//DL-whole: 17 arg(2, i8, 0)
//DL-found: w[]
//DL-members: d 0+2*1 qs 2+1*32
//DL-access: unknown 2+32 read loops 1 counted 1 rounds 3
//DL-access: unknown 7+1 write
//DL-end: blocks
#ifndef DL_TILING
#line 12
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
#else
#line 12
__kernel void blocks(__global char *w, ulong offset, long back, __global int *out, sizes s DL_PARAMS(w))
{ dl_index dl_at_w = 0;
    int i = get_global_id(0);
    ulong first = 3 * offset;

    dl_at_w = dl_at_w + (dl_index)((long)(first) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul;
    dl_at_w += (dl_index)((long)(back) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul;
    dl_at_w -= (dl_index)((long)(2 * back + 34) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul;
    for (int k = 0; k < 3; k++) {
        dl_index b = (dl_at_w + (dl_index)((long)(i * offset) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul - (dl_index)((long)(k * back) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul);

        out[i] += (*dl_block_qs((__global const block *)w, b + 1, (k) DL_ARGS(w)));
    }
    dl_at_w = (i & 1 ? dl_at_w + (dl_index)((long)(34 * i) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul : (dl_index)((long)(34 * i) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul + dl_at_w) + (dl_index)((long)(offset) >> 1) * (dl_index)0xf0f0f0f0f0f0f0f1ul;
    (*dl_block_qs((__global const block *)w, (dl_at_w), (5) DL_ARGS(w))) = (char)i;
}
#endif
#line 27

