// run: go structs structs n
// Components of vectors through pointers to them.
typedef struct {
    float a;
    float4 v;
    int2 w[3];
} cell;

void add(__global float4 *v, float d)
{
    v->x += d;
}

int2 turned(__global const int2 *w)
{
    return (int2)(w->y, w[1].x);
}

//DL: AoS: f[n] AOS2ASTA_cell, r[n][2] AOS2ASTA_float4_2
//DL-table: 2
/* prelude */
static __global int2 *dl_cell_int2(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(int2, dl_f, dl_p.dl_i, 64, 0 + dl_p.dl_o, 8);
}
#line 14
static DL_INLINE int2 dl_turned(__global const int2 *w, dl_part dl_at_w DL_PARAMS(w))
{
    return (int2)((*dl_cell_int2((__global const cell *)w, dl_at_w DL_ARGS(w))).y, (*dl_cell_int2((__global const cell *)w, dl_moved(dl_at_w, (dl_index)(1) * 8) DL_ARGS(w))).x);
}
static __global float4 *dl_cell_v(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float4, dl_f, dl_i, 64, 16, 16);
}
static __global float *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 64, 0, 4);
}
static __global int2 *dl_cell_w(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int2, dl_f, dl_i, 64, 32 + dl_k0 * 8, 8);
}
static __global float4 *dl_float4_2_wide(__global const float4 *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float4 *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 2;
    if (dl_i >= dl_head + dl_tail || dl_e >= dl_w) {
        dl_e = (dl_i * dl_w + dl_e);
        dl_i = dl_e / dl_w;
        if (dl_i >= dl_head + dl_tail)
            return (__global float4 *)dl_f + (dl_signed)dl_e;
        dl_e -= dl_i * dl_w;
    }
    return DL_AT(float4, dl_f, dl_i, dl_w * 16, dl_e * 16, 16);
#endif
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 64 line 19 type cell
//DL-leaves: 0+4*2 8+8 16+16 32+8*4
//DL-structs: arg(2, i4, 0)
//DL-gaps: 4+4 8+8 56+8
//DL-access: linear 1 16+16 read write
//DL-access: linear 1 0+4 read
//DL-access: linear 1 40+8 read write
//DL-access: linear 1 32+8 read
//DL-access: linear 1 48+8 write
//DL-buffer: r arg 1 write aos bytes 32 line 19 type float4
//DL-leaves: 0+16*2
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+16 read
//DL-access: linear 1 16+16 read
//DL-access: linear 1 0+16 write conditional
//DL-end: go
#line 20
__kernel void go(__global cell *f, __global float4 *r, int n DL_PARAMS(f) DL_PARAMS(r))
{ dl_index dl_w_r = (long)2;
    int i = get_global_id(0);
    __global float4 *v = dl_cell_v(f, i DL_ARGS(f)), *late = 0;
    dl_index dl_row_row = i, row = 0;
    dl_part w = dl_moved(dl_part_at(i, 32), (dl_index)(1) * 8);

    v->yw += v->x;
    *v = v->yxwz;
    late = v;
    if (late->x > 0)
        late->z = 0;
    add(late, 1.0f);
    (dl_cell_v(f, i DL_ARGS(f)))->x += (*dl_cell_a(f, i DL_ARGS(f)));
    (*dl_cell_int2(f, w DL_ARGS(f))).x = (*dl_cell_w(f, i, 0 DL_ARGS(f))).s1;
    (*dl_cell_int2(f, w DL_ARGS(f))).y++;
    (*dl_cell_int2(f, dl_moved(w, (dl_index)(1) * 8) DL_ARGS(f))) = dl_turned((__global int2 *)f, dl_part_at(i, 32) DL_ARGS(f));
    if ((*dl_float4_2_wide(r, dl_row_row, row, dl_w_r DL_ARGS(r))).x < (*dl_float4_2_wide(r, dl_row_row, row + 1, dl_w_r DL_ARGS(r))).x)
        (*dl_float4_2_wide(r, dl_row_row, row, dl_w_r DL_ARGS(r))).y = 3;
}
