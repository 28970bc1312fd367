// run: go structs structs structs words:2 n
// Arguments without a type of their own, cast to one type of struct wherever they are named.
typedef struct {
    float x, y;
    int n[2];
} cell;

typedef __global cell *cells;

int peek(__global const cell *c, int i)
{
    return c[i].n[1];
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell, h[n][2] AOS2ASTA_float_2
//DL-table: 2
/* prelude */
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 16, 8 + dl_k0 * 4, 4);
}
#line 10
static DL_INLINE int dl_peek(__global const cell *c, dl_index dl_at_c DL_PARAMS(c), int i)
{
    return (*dl_cell_n(c, dl_at_c + i, (1) DL_ARGS(c)));
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 0, 4);
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 4, 4);
}
static __global float *dl_float_2_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 2;
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
static void dl_cell_x_vstore2(float2 dl_v, dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v = dl_v.s0;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 4, 4))->dl_v = dl_v.s1;
}
static float2 dl_cell_x_vload2(dl_index dl_o, __global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return (float2)(((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v, ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 4, 4))->dl_v);
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(float, dl_f, dl_i, 16, 0, 4) = dl_s.x;
    *DL_AT(float, dl_f, dl_i, 16, 4, 4) = dl_s.y;
    *DL_AT(int, dl_f, dl_i, 16, 8, 4) = dl_s.n[0];
    *DL_AT(int, dl_f, dl_i, 16, 12, 4) = dl_s.n[1];
    return dl_s;
}
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.x = *DL_AT(float, dl_f, dl_i, 16, 0, 4);
    dl_s.y = *DL_AT(float, dl_f, dl_i, 16, 4, 4);
    dl_s.n[0] = *DL_AT(int, dl_f, dl_i, 16, 8, 4);
    dl_s.n[1] = *DL_AT(int, dl_f, dl_i, 16, 12, 4);
    return dl_s;
}
//DL-kernel: go 5
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 16 line 15 type cell
//DL-leaves: 0+4*4
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+4 write
//DL-access: linear 1 8+4 write
//DL-access: linear 1 12+4 read
//DL-access: linear 1 0+8 write
//DL-access: unknown 4+4 write
//DL-access: unknown 0+16 write
//DL-buffer: g arg 1 read aos bytes 16 line 15 type cell
//DL-leaves: 0+4*4
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 4+4 read
//DL-access: linear -1 12+4 read
//DL-access: linear 1 12+4 read
//DL-access: linear 1 0+8 read
//DL-access: linear 1 0+16 read
//DL-buffer: h arg 2 read aos bytes 8 line 15 type float
//DL-leaves: 0+4*2
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+4 read
//DL-end: go
#line 16
__kernel void go(__global void *f, __global const uchar *g, __global const void *h,
                 __global int *out, int n DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{ dl_index dl_w_h = (long)2;
    int i = get_global_id(0);
    dl_index p = 0, q = (dl_index)0 + i;
    dl_index from = ((0));
    dl_index dl_row_rows = 0, rows = 0;

    (*dl_cell_x((__global const cell *)f, p + i DL_ARGS(f))) = (*dl_cell_y((__global const cell *)g, from + i DL_ARGS(g))) + (*dl_float_2_wide(h, dl_row_rows + (dl_index)(i), rows + 1, dl_w_h DL_ARGS(h)));
    (*dl_cell_n((__global const cell *)f, q, (0) DL_ARGS(f))) = dl_peek((__global cell *)f, 0 DL_ARGS(f), i) + dl_peek((__global cell *)g, 0 DL_ARGS(g), n - 1 - i);
    out[2 * i] = (*dl_cell_n((__global const cell *)f, ((dl_index)0) + i, (1) DL_ARGS(f))) + dl_peek((__global cell *)g, from + i DL_ARGS(g), 0);
    out[2 * i + 1] = (int)((*dl_float_2_wide(h, i, 0, dl_w_h DL_ARGS(h))) * 8.0f);
    dl_cell_x_vstore2(dl_cell_x_vload2(0, (__global const cell *)g, ((dl_index)0) + i DL_ARGS(g)) + 1.0f, 0, (__global const cell *)f, ((dl_index)0) + i DL_ARGS(f));
    q = i & 1 ? (dl_index)0 : q - i;
    (*dl_cell_y((__global const cell *)f, q + i DL_ARGS(f))) = 1.0f;
    if ((g && from != DL_NULL))
        dl_cell_store((__global const cell *)f, q + i DL_ARGS(f), dl_cell_load((__global const cell *)g, from + i DL_ARGS(g)));
}
