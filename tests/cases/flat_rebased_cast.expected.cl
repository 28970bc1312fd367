// run: go structs structs n
//DL: AoS: in[n][20] AOS2ASTA_uint_20, out[n][20] AOS2ASTA_uint_20
//DL-table: 2
/* prelude */
static __global unsigned int *dl_uint_20_uint(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (unsigned int)(dl_i * dl_w + dl_e);
#else
    dl_w = 20;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w || dl_i * dl_w + dl_e > 0xffffffffu) {
        dl_e = (unsigned int)(dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global unsigned int *dl_uint_20_wide(__global const unsigned int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global unsigned int *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 20;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global unsigned int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(unsigned int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: in arg 0 read aos bytes 80 line 2 type uint
//DL-leaves: 0+4*20
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 64+4 read
//DL-access: linear 1 20+4 read
//DL-access: linear 1 32+4 read
//DL-buffer: out arg 1 write aos bytes 80 line 2 type uint
//DL-leaves: 0+4*20
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 4+4 write
//DL-end: go
#line 3
__kernel void go(__global const uint *in, __global uint *out, int n DL_PARAMS(in) DL_PARAMS(out))
{ dl_index dl_w_in = (long)20; dl_index dl_w_out = (long)20;
    uint i = get_global_id(0), u = i + 214748365u; /* 20 * u is 20 * i + 4 */
    dl_index dl_row_p = 0, p = 0;

    dl_row_p += DL_PARTS(u, 0) - 1, p += DL_PARTS((dl_index)(0), (dl_index)((int)(20 * u))) + 16;
    (*dl_uint_20_uint(out, i, 0, dl_w_out DL_ARGS(out))) = (*dl_uint_20_wide(in, dl_row_p, p, dl_w_in DL_ARGS(in))) + (*dl_uint_20_wide(in, DL_PARTS(u, 0), DL_PARTS((dl_index)(5), (dl_index)((int)(20 * u + 5u))), dl_w_in DL_ARGS(in)));
    (*dl_uint_20_uint(out, i, 1, dl_w_out DL_ARGS(out))) = (*dl_uint_20_wide(in, DL_PARTS(u, 0), DL_PARTS((dl_index)(0), (dl_index)((int)(20 * u))) + 5, dl_w_in DL_ARGS(in))) + (*dl_uint_20_wide(in, DL_PARTS(u, 0), DL_PARTS((dl_index)(5), (dl_index)((int)(5u + u * 20))) + 3, dl_w_in DL_ARGS(in)));
}
