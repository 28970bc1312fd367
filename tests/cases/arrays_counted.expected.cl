// run: fill arrays:7 n words:2
// How many arrays there are, the launch counts.
//DL: SoA: f[n][] to ASTA
//DL-table: 2
/* prelude */
static __global int *dl_int_row_array(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_index dl_arrays = dl_tail;

    if (dl_e < dl_head && dl_i < dl_arrays)
        return DL_HEAD_AT(__global, int, dl_f, dl_e, dl_arrays * 4, dl_i * 4, 4);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : dl_arrays;
    if (dl_i >= dl_arrays)
        return (__global int *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(int, dl_f, dl_e, dl_arrays * 4, dl_i * 4, 4);
#endif
}
//DL-kernel: fill 3
//DL-sums: exact
//DL-buffer: f arg 0 write arr bytes 4 line 3 type int
//DL-leaves: 0+4
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 24+4 write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 8+4 read
//DL-access: linear 1 12+4 read
//DL-access: linear 1 20+4 read write atomic
//DL-access: unknown 4+4 read write atomic
//DL-end: fill
#line 4
__kernel void fill(__global int *f, const int n, __global int *plain DL_PARAMS(f))
{ dl_index dl_w_f = (long)n;
    const int i = get_global_id(0);

    (*dl_int_row_array(f, 6, i, dl_w_f DL_ARGS(f))) = (*dl_int_row_array(f, 0, i, dl_w_f DL_ARGS(f))) + (*dl_int_row_array(f, 2, i, dl_w_f DL_ARGS(f)));
    plain[i] = (*dl_int_row_array(f, 3, (i + 1) % n, dl_w_f DL_ARGS(f)));
    atomic_add(dl_int_row_array(f, 5, i, dl_w_f DL_ARGS(f)), 3);
    atomic_inc(dl_int_row_array(f, 1, i / 2, dl_w_f DL_ARGS(f)));
}
