// run: go structs structs
typedef union {
    float f;
    int i;
} word;
typedef struct {
    word w;
    union {
        float v[2];
        struct {
            float x, y;
        } p;
        int k[2];
    } u;
    int n;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell, g[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
typedef DL_ALIASED(int) dl_cell_w_i_view;
static __global dl_cell_w_i_view *dl_cell_w_i(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_w_i_view, dl_f, dl_i, 16, 0, 4);
}
typedef DL_ALIASED(float) dl_cell_u_p_y_view;
static __global dl_cell_u_p_y_view *dl_cell_u_p_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_u_p_y_view, dl_f, dl_i, 16, 8, 4);
}
typedef DL_ALIASED(float) dl_cell_w_f_view;
static __global dl_cell_w_f_view *dl_cell_w_f(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_w_f_view, dl_f, dl_i, 16, 0, 4);
}
typedef DL_ALIASED(float) dl_cell_u_v_view;
static __global dl_cell_u_v_view *dl_cell_u_v(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_cell_u_v_view, dl_f, dl_i, 16, 4 + dl_k0 * 4, 4);
}
typedef DL_ALIASED(int) dl_cell_u_k_view;
static __global dl_cell_u_k_view *dl_cell_u_k(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_cell_u_k_view, dl_f, dl_i, 16, 4 + dl_k0 * 4, 4);
}
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 12, 4);
}
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.w.f = ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v;
    dl_s.u.v[0] = ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 4, 4))->dl_v;
    dl_s.u.v[1] = ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 8, 4))->dl_v;
    dl_s.n = *DL_AT(int, dl_f, dl_i, 16, 12, 4);
    return dl_s;
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v = dl_s.w.f;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 4, 4))->dl_v = dl_s.u.v[0];
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 8, 4))->dl_v = dl_s.u.v[1];
    *DL_AT(int, dl_f, dl_i, 16, 12, 4) = dl_s.n;
    return dl_s;
}
static word dl_cell_w_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, word dl_s)
{
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 0, 4))->dl_v = dl_s.f;
    return dl_s;
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 18 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 12+4 read
//DL-buffer: g arg 1 write aos bytes 16 line 18 type cell
//DL-leaves: 0+4*4
//DL-structs: global_size(0)
//DL-access: linear 1 0+16 read write
//DL-end: go
#line 19
__kernel void go(__global cell *f, __global cell *g DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (dl_cell_w_i(f, i DL_ARGS(f))->dl_v) |= 1;
    (dl_cell_u_p_y(f, i DL_ARGS(f))->dl_v) = (dl_cell_w_f(f, i DL_ARGS(f))->dl_v) + (dl_cell_u_v(f, i, (0) DL_ARGS(f))->dl_v);
    (dl_cell_u_k(f, i, (1) DL_ARGS(f))->dl_v) ^= (*dl_cell_n(f, i DL_ARGS(f)));
    cell c = dl_cell_load(g, i DL_ARGS(g));
    c.u.k[0]++;
    dl_cell_store(g, i DL_ARGS(g), c);
    dl_cell_w_store(f, i DL_ARGS(f), c.w);
}
