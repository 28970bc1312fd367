// run: go structs structs n
// Grids with a margin, as the thesis's lattice has them: pointers moved by rows keep row and place apart.
#define W 5
#define INDEX(x, e) ((e) + W * (x))
#define MARGIN (INDEX(1, 0))
#define AT(g, dx, e) ((g)[INDEX(dx, e) + here])

void bounce(__global const float *from, __global float *to)
{
    to[INDEX(0, 1)] = from[2];
    to[INDEX(0, 2)] = *(from + 1);
    *++to = from[-1 + 1];
}

//DL: AoS: src[n][W] AOS2ASTA_float_5, dst[n][W] AOS2ASTA_float_5
//DL-table: 2
/* prelude */
static __global float *dl_float_5_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 5;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
#line 8
static DL_INLINE void dl_bounce(__global const float *from, dl_index dl_row_from, dl_index dl_at_from, dl_index dl_w_from DL_PARAMS(from), __global float *to, dl_index dl_row_to, dl_index dl_at_to, dl_index dl_w_to DL_PARAMS(to))
{
    (*dl_float_5_wide(to, dl_row_to, dl_at_to + 1, dl_w_to DL_ARGS(to))) = (*dl_float_5_wide(from, dl_row_from, dl_at_from + 2, dl_w_from DL_ARGS(from)));
    (*dl_float_5_wide(to, dl_row_to, dl_at_to + 2, dl_w_to DL_ARGS(to))) = (*dl_float_5_wide(from, dl_row_from, dl_at_from + 1, dl_w_from DL_ARGS(from)));
    (*dl_float_5_wide(to, dl_row_to, ++dl_at_to, dl_w_to DL_ARGS(to))) = (*dl_float_5_wide(from, dl_row_from, dl_at_from, dl_w_from DL_ARGS(from)));
}
//DL-kernel: go 3
//DL-sums: contractable
//DL-buffer: src arg 0 read aos bytes 20 line 15 type float
//DL-leaves: 0+4*5
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 12+4 read
//DL-access: linear 1 16+4 read
//DL-access: linear 1 8+4 read conditional
//DL-access: linear 1 4+4 read conditional
//DL-access: linear 1 0+4 read conditional
//DL-buffer: dst arg 1 write aos bytes 20 line 15 type float
//DL-leaves: 0+4*5
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 16+4 write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 4+4 write conditional
//DL-access: linear 1 8+4 write conditional
//DL-access: linear 1 0+4 write conditional
//DL-access: linear 1 0+20 read write walks loops 1 line 32
//DL-end: go
#line 16
__kernel void go(__global const float *src, __global float *dst, int n DL_PARAMS(src) DL_PARAMS(dst))
{ dl_index dl_w_src = (long)5; dl_index dl_row_src = 0, dl_at_src = 0; dl_index dl_w_dst = (long)5; dl_index dl_row_dst = 0, dl_at_dst = 0;
    const int i = get_global_id(0) % max(n - 2, 1), here = INDEX(i, 0);
    dl_index dl_row_cell, cell;

    if (n < 3 || get_global_id(0) >= n - 2)
        return;
    dl_row_src += 1, dl_at_src += 0;
    dl_row_dst += 1, dl_at_dst += 0;
    ((*dl_float_5_wide(dst, dl_row_dst + (dl_index)(here / 5), dl_at_dst, dl_w_dst DL_ARGS(dst)))) = ((*dl_float_5_wide(src, dl_row_src + (dl_index)(here / 5), dl_at_src, dl_w_src DL_ARGS(src)))) + ((*dl_float_5_wide(src, dl_row_src + (dl_index)(here / 5) - 1, dl_at_src + 3, dl_w_src DL_ARGS(src)))) * 0.5f;
    ((*dl_float_5_wide(dst, dl_row_dst + (dl_index)(here / 5), dl_at_dst + 4, dl_w_dst DL_ARGS(dst)))) = ((*dl_float_5_wide(src, dl_row_src + (dl_index)(here / 5) + 1, dl_at_src + 4, dl_w_src DL_ARGS(src)))) - (*dl_float_5_wide(src, dl_row_src + (dl_index)(here / 5) - 1, dl_at_src + 3, dl_w_src DL_ARGS(src)));
    dl_row_cell = dl_row_dst + (dl_index)(here / 5), cell = dl_at_dst + 3;
    dl_row_cell -= 2, cell -= 0;
    (*dl_float_5_wide(dst, dl_row_cell + 1, cell + 2, dl_w_dst DL_ARGS(dst))) = (*dl_float_5_wide(dst, dl_row_cell + 1, cell + 3, dl_w_dst DL_ARGS(dst))) + 1.0f;
    if (i % 3)
        dl_bounce(src, dl_row_src + (dl_index)(here / 5), dl_at_src, dl_w_src DL_ARGS(src), dst, dl_row_dst + (dl_index)(i), dl_at_dst, dl_w_dst DL_ARGS(dst));
    for (dl_index dl_row_p = dl_row_dst + (dl_index)(here / 5), p = dl_at_dst + 3, dl_row_e = dl_row_dst + (dl_index)(i + 1), e = dl_at_dst; ((dl_index)(dl_row_p) * dl_w_dst + (p)) != ((dl_index)(dl_row_e) * dl_w_dst + (e)); p++)
        (*dl_float_5_wide(dst, dl_row_p, p, dl_w_dst DL_ARGS(dst))) += 0.25f;
}
