// run: go structs structs n
// An unsigned sum of 64 bits passes 2^64 by a constant, which a compiler sees: a signed one must not.
//DL: AoS: out[n][2] AOS2ASTA_int_2, in[n][2] AOS2ASTA_int_2
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
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: out arg 0 write aos bytes 8 line 3 type int
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 read write
//DL-buffer: in arg 1 read aos bytes 8 line 3 type int
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: gather 4+4 read
//DL-access: linear 1 4+4 read
//DL-access: gather 0+4 read
//DL-end: go
#line 4
__kernel void go(__global int *out, __global const int *in, int n DL_PARAMS(out) DL_PARAMS(in))
{ dl_index dl_w_out = (long)2; dl_index dl_w_in = (long)2;
    int i = get_global_id(0);
    ulong k = (ulong)(((*dl_int_2_in(in, i, 0 DL_ARGS(in))) & 0xff) % n);
    dl_index dl_row_p = 9223372036854775808ul + k, p = 0;
    dl_index dl_row_q = 0, q = 0;

    dl_row_q += 9223372036854775808ul + (ulong)i, q += 0;
    (*dl_int_2_in(out, i, 0 DL_ARGS(out))) = (*dl_int_2_wide(in, 9223372036854775808ul + k, 1, dl_w_in DL_ARGS(in)));
    (*dl_int_2_in(out, i, 1 DL_ARGS(out))) += (*dl_int_2_wide(in, 9223372036854775808ul + k, 1, dl_w_in DL_ARGS(in))) * 3 + (*dl_int_2_wide(in, dl_row_p, p + 1, dl_w_in DL_ARGS(in))) + (*dl_int_2_wide(in, dl_row_q, q, dl_w_in DL_ARGS(in))) + (i > 0 ? (*dl_int_2_wide(in, dl_row_q - 1, q + 1, dl_w_in DL_ARGS(in))) : 2);
    (*dl_int_2_wide(out, 9223372036854775808ul + (ulong)i, 1, dl_w_out DL_ARGS(out))) ^= (*dl_int_2_wide(in, k + 9223372036854775808ul, 0, dl_w_in DL_ARGS(in)));
}
