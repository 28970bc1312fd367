// Lengths and widths that are sizes of the launch.
typedef struct {
    int x, y;
} pair;

//DL: SoA: f[get_global_size(0)][3] to ASTA
//DL: AoS: g[global_size(0)][get_global_size(0)] AOS2ASTA_int_row, h[get_global_size(0) * 1] AOS2ASTA_pair
//DL-table: 2
/* prelude */
static __global int *dl_int_3_array(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e < dl_head && dl_i < 3)
        return DL_HEAD_AT(__global, int, dl_f, dl_e, 3 * 4, dl_i * 4, 4);
    dl_e = (dl_i * dl_w + dl_e);
    dl_i = dl_head ? dl_e / dl_w : 3;
    if (dl_i >= 3)
        return (__global int *)dl_f + (dl_signed)dl_e;
    dl_e -= dl_i * dl_w;
    dl_tail = dl_w - dl_head;
    return DL_AT(int, dl_f, dl_e, 3 * 4, dl_i * 4, 4);
#endif
}
static __global int *dl_pair_x(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_int_row(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global int *dl_int_row_wide(__global const int *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global int *)dl_f + (dl_i * dl_w + dl_e);
#else
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global int *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_ROW_AT(__global, int, dl_f, dl_i, dl_w * 4, dl_e * 4, 4);
#endif
}
static __global int *dl_pair_y(__global const pair *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write arr bytes 12 line 6 type int
//DL-leaves: 0+4*3
//DL-structs: global_size(0)
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 8+4 read write
//DL-buffer: g arg 1 write aos bytes 4 line 7 type int
//DL-leaves: 0+4
//DL-width: global_size(0)
//DL-structs: global_size(0)
//DL-access: linear 1 0+* read write walks loops 1 line 15
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 0+* read
//DL-buffer: h arg 2 write aos bytes 8 line 7 type pair
//DL-leaves: 0+4*2
//DL-structs: global_size(0) * 1
//DL-access: linear -1 0+4 read
//DL-access: linear 1 4+4 write
//DL-end: go
#line 8
__kernel void go(__global int *f, __global int *g, __global pair *h DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{ dl_index dl_w_f = (long)get_global_size(0); dl_index dl_w_g = (long)get_global_size(0);
    int n = get_global_size(0), i = get_global_id(0);
    size_t all = get_global_size(0);

    (*dl_int_3_array(f, 1, i, dl_w_f DL_ARGS(f))) += (*dl_int_3_array(f, 0, i, dl_w_f DL_ARGS(f))) ^ (*dl_int_3_array(f, 2, i, dl_w_f DL_ARGS(f)));
    (*dl_int_3_array(f, 2, i, dl_w_f DL_ARGS(f))) = (*dl_pair_x(h, all - 1 - i DL_ARGS(h)));
    for (int k = 0; k < n; k++)
        (*dl_int_row(g, i, k, dl_w_g DL_ARGS(g))) += k;
    (*dl_int_row_wide(g, i, 0, dl_w_g DL_ARGS(g))) ^= 5;
    (*dl_pair_y(h, i DL_ARGS(h))) = (*dl_int_row_wide(g, (dl_index)(i) + 1, -1, dl_w_g DL_ARGS(g)));
}
// run: go structs structs structs
