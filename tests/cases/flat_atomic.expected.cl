// run: go structs n
//DL: AoS: c[n][2] AOS2ASTA_int_2
//DL-table: 2
/* prelude */
static __global int *dl_int_2_in(__global const int *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * 2 + dl_e);
#else
    return DL_AT(int, dl_f, dl_i, 8, dl_e * 4, 4);
#endif
}
static __global int *dl_int_2_wide(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 2;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: c arg 0 write aos bytes 8 line 2 type int
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: unknown 0+4 read write atomic
//DL-access: uniform 0+4 read write atomic
//DL-access: uniform 4+4 read write atomic
//DL-end: go
#line 3
__kernel void go(__global int *c, int n DL_PARAMS(c))
{ dl_index dl_w_c = (long)2;
    int i = get_global_id(0);

    atomic_add(dl_int_2_in(c, i / 2, 0 DL_ARGS(c)), i);
    atomic_inc(dl_int_2_wide(c, 0, 0, dl_w_c DL_ARGS(c)));
    atomic_max(dl_int_2_wide(c, 0, 1, dl_w_c DL_ARGS(c)), i);
    atomic_or((volatile __global uint *)dl_int_2_in(c, i, 1 DL_ARGS(c)), 1u);
}
