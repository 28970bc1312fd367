// run: move structs structs words:1
// detect: on
// Rows are found behind pointers that are moved, run along a row, and go to helpers.
#define W 6
#define INDEX(x, e) ((e) + W * (x))

float sum(__global const float *row)
{
    float all = 0.0f;

    for (int e = 0; e < W; e++, row++)
        all += *row;
    return all;
}

void turn(__global const float *from, __global float *to, int by)
{
    to[INDEX(by, 1)] = from[2];
    to[INDEX(0, 2)] = from[1];
}

//DL: AoS: src[][6] AOS2ASTA_float_6, dst[][6] AOS2ASTA_float_6
//DL-table: 2
/* prelude */
static __global float *dl_float_6_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 6;
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
#line 16
static DL_INLINE void dl_turn(__global const float *from, dl_index dl_row_from, dl_index dl_at_from, dl_index dl_w_from DL_PARAMS(from), __global float *to, dl_index dl_row_to, dl_index dl_at_to, dl_index dl_w_to DL_PARAMS(to), int by)
{
    (*dl_float_6_wide(to, dl_row_to + (dl_index)(by), dl_at_to + 1, dl_w_to DL_ARGS(to))) = (*dl_float_6_wide(from, dl_row_from, dl_at_from + 2, dl_w_from DL_ARGS(from)));
    (*dl_float_6_wide(to, dl_row_to, dl_at_to + 2, dl_w_to DL_ARGS(to))) = (*dl_float_6_wide(from, dl_row_from, dl_at_from + 1, dl_w_from DL_ARGS(from)));
}
#line 7
static DL_INLINE float dl_sum(__global const float *row, dl_index dl_row_row, dl_index dl_at_row, dl_index dl_w_row DL_PARAMS(row))
{
    float all = 0.0f;

    for (int e = 0; e < 6; e++, dl_at_row++)
        all += (*dl_float_6_wide(row, dl_row_row, dl_at_row, dl_w_row DL_ARGS(row)));
    return all;
}
//DL-kernel: move 3
//DL-sums: exact
//DL-detected: 0 1 2
//DL-buffer: src arg 0 read aos bytes 24 line 22 type float
//DL-leaves: 0+4*6
//DL-structs: *
//DL-found: src[][6]
//DL-access: linear 1 8+4 read
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+24 read walks loops 1 line 11
//DL-buffer: dst arg 1 write aos bytes 24 line 22 type float
//DL-leaves: 0+4*6
//DL-structs: *
//DL-found: dst[][6]
//DL-access: linear 1 4+4 write
//DL-access: linear 1 8+4 write
//DL-access: linear 1 0+4 write
//DL-access: linear 1 0+24 read write walks loops 1 line 33
//DL-end: move
#line 22
__kernel void move(__global const float *src, __global float *dst, __global const float *plain DL_PARAMS(src) DL_PARAMS(dst))
{ dl_index dl_w_src = (long)6; dl_index dl_w_dst = (long)6; dl_index dl_row_dst = 0, dl_at_dst = 0;
    const int i = get_global_id(0);
    dl_index dl_row_from = i, from = 0;
    dl_index dl_row_to, to, dl_row_end, end;

    dl_row_dst += 1, dl_at_dst += 0;
    dl_row_to = dl_row_dst + (dl_index)(i) - 1, to = dl_at_dst;
    dl_row_end = dl_row_to + 1, end = to;
    dl_turn(src, dl_row_from, from, dl_w_src DL_ARGS(src), dst, dl_row_to, to, dl_w_dst DL_ARGS(dst), 0);
    (*dl_float_6_wide(dst, dl_row_to, to, dl_w_dst DL_ARGS(dst))) = dl_sum(src, dl_row_from, from, dl_w_src DL_ARGS(src)) + plain[i];
    while ((dl_signed)(((dl_index)(dl_row_to) * dl_w_dst + (to))) < (dl_signed)(((dl_index)(dl_row_end) * dl_w_dst + (end))))
        (*dl_float_6_wide(dst, dl_row_to, to++, dl_w_dst DL_ARGS(dst))) += 0.5f;
}
