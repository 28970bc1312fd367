// run: go structs words:3
/* What was stored as an int is read as a float, in a packed struct too. */
typedef struct __attribute__((packed)) {
    int first[8];
    union {
        struct {
            float x, y;
        } a;
        struct {
            int c[3];
        } b;
        uint w[3];
    } m;
    short last;
} cell;

//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
typedef DL_PACKED(int) dl_cell_m_b_c_view;
static __global dl_cell_m_b_c_view *dl_cell_m_b_c(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_cell_m_b_c_view, dl_f, dl_i, 46, 32 + dl_k0 * 4, 4);
}
typedef DL_PACKED(float) dl_cell_m_a_y_view;
static __global dl_cell_m_a_y_view *dl_cell_m_a_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_m_a_y_view, dl_f, dl_i, 46, 36, 4);
}
typedef DL_PACKED(unsigned int) dl_cell_m_w_view;
static __global dl_cell_m_w_view *dl_cell_m_w(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_cell_m_w_view, dl_f, dl_i, 46, 32 + dl_k0 * 4, 4);
}
typedef DL_PACKED(short) dl_cell_last_view;
static __global dl_cell_last_view *dl_cell_last(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_last_view, dl_f, dl_i, 46, 44, 2);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 46 line 17 type cell
//DL-leaves: 0+4*11 44+2
//DL-structs: *
//DL-access: linear 1 32+12 write
//DL-access: linear 1 36+4 read write
//DL-access: linear 1 32+4 read write
//DL-access: linear 1 44+2 read
//DL-end: go
#line 18
__kernel void go(__global cell *f, __global const int *g DL_PARAMS(f))
{
    int i = get_global_id(0);

    (dl_cell_m_b_c(f, i, ((g[3 * i] & 1) * 2) DL_ARGS(f))->dl_v) = 0;
    (dl_cell_m_b_c(f, i, (1) DL_ARGS(f))->dl_v) = i;
    (dl_cell_m_a_y(f, i DL_ARGS(f))->dl_v) += 1.0f;
    (dl_cell_m_w(f, i, (0) DL_ARGS(f))->dl_v) ^= (dl_cell_m_b_c(f, i, (1) DL_ARGS(f))->dl_v);
    (dl_cell_m_a_y(f, i DL_ARGS(f))->dl_v) += (dl_cell_last(f, i DL_ARGS(f))->dl_v);
}
