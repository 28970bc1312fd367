typedef struct {
    int tag;
    union {
        int i;
        float f;
    };
    union {
        uint u;
        float v;
    } w[2];
} cell;

void bump(__global cell *c, cell *to)
{
    (*c).f += 1;
    c->w[1].v += 0.5f;
    *to = c[0];
}
cell changed(cell c, int by)
{
    c.f = by;
    c.w[1].v = by;
    return c;
}

//DL: AoS: f[global_size(0)] AOS2ASTA_cell, g[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
typedef DL_ALIASED(float) dl_cell_f_view;
static __global dl_cell_f_view *dl_cell_f(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_f_view, dl_f, dl_i, 16, 4, 4);
}
typedef DL_ALIASED(float) dl_cell_w_v_view;
static __global dl_cell_w_v_view *dl_cell_w_v(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_cell_w_v_view, dl_f, dl_i, 16, 8 + dl_k0 * 4, 4);
}
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.tag = *DL_AT(int, dl_f, dl_i, 16, 0, 4);
    dl_s.i = ((__global DL_ALIASED(int) *)DL_AT(int, dl_f, dl_i, 16, 4, 4))->dl_v;
    dl_s.w[0].u = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned int, dl_f, dl_i, 16, 8, 4))->dl_v;
    dl_s.w[1].u = ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned int, dl_f, dl_i, 16, 12, 4))->dl_v;
    return dl_s;
}
#line 13
static DL_INLINE void dl_bump(__global cell *c, dl_index dl_at_c DL_PARAMS(c), cell *to)
{
    (dl_cell_f(c, dl_at_c DL_ARGS(c))->dl_v) += 1;
    (dl_cell_w_v(c, dl_at_c, (1) DL_ARGS(c))->dl_v) += 0.5f;
    *to = dl_cell_load(c, dl_at_c + 0 DL_ARGS(c));
}
static __global int *dl_cell_tag(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 0, 4);
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(int, dl_f, dl_i, 16, 0, 4) = dl_s.tag;
    ((__global DL_ALIASED(int) *)DL_AT(int, dl_f, dl_i, 16, 4, 4))->dl_v = dl_s.i;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned int, dl_f, dl_i, 16, 8, 4))->dl_v = dl_s.w[0].u;
    ((__global DL_ALIASED(unsigned int) *)DL_AT(unsigned int, dl_f, dl_i, 16, 12, 4))->dl_v = dl_s.w[1].u;
    return dl_s;
}
typedef DL_ALIASED(unsigned int) dl_cell_w_u_view;
static __global dl_cell_w_u_view *dl_cell_w_u(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_cell_w_u_view, dl_f, dl_i, 16, 8 + dl_k0 * 4, 4);
}
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 16 line 26 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 12+4 read write
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 write
//DL-buffer: g arg 1 read aos bytes 16 line 26 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: unknown 4+4 read loops 1 line 32
//DL-access: linear 1 4+4 read conditional
//DL-end: go
#line 27
__kernel void go(__global cell *f, __global const cell *g DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0), k = 0;
    cell copy = dl_cell_load(f, i DL_ARGS(f));

    for (dl_index r = (i / 2), e = (i); (dl_signed)(r) < (dl_signed)(e); r++)
        copy.tag += (int)((dl_difference)(dl_signed)(e - r)) + (int)((dl_cell_f(g, r DL_ARGS(g))->dl_v) * 16.0f);
    dl_bump(f, (i) DL_ARGS(f), &copy);
    (*dl_cell_tag(f, i DL_ARGS(f))) = i & 3 ? as_uint((dl_cell_f(g, i DL_ARGS(g))->dl_v)) >> 13 : copy.i;
    dl_cell_store(f, i DL_ARGS(f), changed(dl_cell_load(f, i DL_ARGS(f)), (*dl_cell_tag(f, i DL_ARGS(f))) & 0xff));
    copy.w[0].u += (dl_cell_w_u(f, i, (1) DL_ARGS(f))->dl_v);
    (dl_cell_w_v(f, i, (0) DL_ARGS(f))->dl_v) = (dl_cell_f(f, i DL_ARGS(f))->dl_v);
    (dl_cell_f(f, i DL_ARGS(f))->dl_v) += k;
    (dl_cell_w_u(f, i, (1) DL_ARGS(f))->dl_v) ^= copy.w[0].u;
}
// run: go structs structs
