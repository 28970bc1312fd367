// each turn: other cases have no such elements
// run: edges structs=33~4 structs=33~4 words:1
// Elements of 16 bits in arrays of a constant length, two beyond each end of an array and two behind the last.
//DL: SoA: f[33][5], g[33][5] to ASTA
//DL-table: 2
/* prelude */
#if defined DL_TILING && !defined DL_ARRAYS
static __global unsigned short *dl_ushort_5_array_narrow(__global const unsigned short *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
    dl_index dl_arrays = 5, dl_at = dl_i * dl_w + dl_e;
    dl_signed dl_n = dl_w ? dl_w : 1, dl_by = (dl_signed)dl_e / dl_n;

    dl_by -= (dl_signed)dl_e % dl_n < 0;
    dl_e -= dl_by * dl_n;
    return (__global unsigned short *)dl_f +
           (dl_signed)(dl_at < (dl_head ? dl_arrays * dl_w : 0)
                           ? DL_FORMULA_OF(DL_TILING, _at)(
                                 dl_e, dl_arrays, dl_i + dl_by, 1, DL_TILE,
                                 dl_head, dl_w - dl_head)
                           : dl_at);
}
#else
static __global unsigned short *dl_ushort_5_array_narrow(__global const unsigned short *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned short *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e < dl_head && dl_i < 5)
        return DL_HEAD_AT(__global, unsigned short, dl_f, dl_e, 5 * 2, dl_i * 2, 2);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : 5;
    if (dl_i >= 5)
        return (__global unsigned short *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(unsigned short, dl_f, dl_e, 5 * 2, dl_i * 2, 2);
#endif
}
#endif
//DL-kernel: edges 3
//DL-sums: exact
//DL-buffer: f arg 0 read arr bytes 10 line 4 type ushort
//DL-leaves: 0+2*5
//DL-structs: 33
//DL-access: uniform 0+10 read loops 2 counted 1 rounds 5 line 11
//DL-access: linear 1 6+2 read
//DL-buffer: g arg 1 write arr bytes 10 line 4 type ushort
//DL-leaves: 0+2*5
//DL-structs: 33
//DL-access: linear 1 6+2 write
//DL-end: edges
#line 5
__kernel void edges(__global const ushort *f, __global ushort *g, __global uint *out DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_w_f = (long)33; dl_index dl_w_g = (long)33;
    const int i = get_global_id(0);
    uint sum = 0;

    for (int k = 0; k < 5; k++)
        for (int n = k ? -2 : 0; n < 35; n++)
            sum = sum * 31u + (*dl_ushort_5_array_narrow(f, k, n, dl_w_f DL_ARGS(f)));
    out[i] = sum;
    (*dl_ushort_5_array_narrow(g, 3, (dl_index)(i) + 7, dl_w_g DL_ARGS(g))) = (*dl_ushort_5_array_narrow(f, 3, (dl_index)(i) + 7, dl_w_f DL_ARGS(f)));
}
