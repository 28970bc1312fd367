// run: go structs structs
typedef struct __attribute__((packed)) {
    char c;
    int n;
    float v[2];
    double d;
    uchar4 rgba;
} cell;

//DL: AoS: f[global_size(0)] AOS2ASTA_cell, g[global_size(0)] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.c = *DL_AT(char, dl_f, dl_i, 25, 0, 1);
    dl_s.n = ((__global DL_PACKED(int) *)DL_AT(unsigned char, dl_f, dl_i, 25, 1, 4))->dl_v;
    dl_s.v[0] = ((__global DL_PACKED(float) *)DL_AT(unsigned char, dl_f, dl_i, 25, 5, 4))->dl_v;
    dl_s.v[1] = ((__global DL_PACKED(float) *)DL_AT(unsigned char, dl_f, dl_i, 25, 9, 4))->dl_v;
    dl_s.d = ((__global DL_PACKED(double) *)DL_AT(unsigned char, dl_f, dl_i, 25, 13, 8))->dl_v;
    dl_s.rgba = ((__global DL_PACKED(uchar4) *)DL_AT(unsigned char, dl_f, dl_i, 25, 21, 4))->dl_v;
    return dl_s;
}
static __global char *dl_cell_c(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 25, 0, 1);
}
typedef DL_PACKED(int) dl_cell_n_view;
static __global dl_cell_n_view *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_n_view, dl_f, dl_i, 25, 1, 4);
}
typedef DL_PACKED(float) dl_cell_v_view;
static __global dl_cell_v_view *dl_cell_v(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_cell_v_view, dl_f, dl_i, 25, 5 + dl_k0 * 4, 4);
}
typedef DL_PACKED(double) dl_cell_d_view;
static __global dl_cell_d_view *dl_cell_d(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_d_view, dl_f, dl_i, 25, 13, 8);
}
typedef DL_PACKED(uchar4) dl_cell_rgba_view;
static __global dl_cell_rgba_view *dl_cell_rgba(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_rgba_view, dl_f, dl_i, 25, 21, 4);
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(char, dl_f, dl_i, 25, 0, 1) = dl_s.c;
    ((__global DL_PACKED(int) *)DL_AT(unsigned char, dl_f, dl_i, 25, 1, 4))->dl_v = dl_s.n;
    ((__global DL_PACKED(float) *)DL_AT(unsigned char, dl_f, dl_i, 25, 5, 4))->dl_v = dl_s.v[0];
    ((__global DL_PACKED(float) *)DL_AT(unsigned char, dl_f, dl_i, 25, 9, 4))->dl_v = dl_s.v[1];
    ((__global DL_PACKED(double) *)DL_AT(unsigned char, dl_f, dl_i, 25, 13, 8))->dl_v = dl_s.d;
    ((__global DL_PACKED(uchar4) *)DL_AT(unsigned char, dl_f, dl_i, 25, 21, 4))->dl_v = dl_s.rgba;
    return dl_s;
}
//DL-kernel: go 2
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 25 line 10 type cell
//DL-leaves: 0+1 1+4*3 13+8 21+4
//DL-structs: global_size(0)
//DL-access: linear 1 0+1 read write
//DL-access: linear 1 1+4 read write
//DL-access: linear 1 5+8 read write
//DL-access: linear 1 13+8 write
//DL-access: linear 1 5+4 read
//DL-access: linear 1 21+4 read write
//DL-buffer: g arg 1 write aos bytes 25 line 10 type cell
//DL-leaves: 0+1 1+4*3 13+8 21+4
//DL-structs: global_size(0)
//DL-access: linear 1 0+25 read write
//DL-end: go
#line 11
__kernel void go(__global cell *f, __global cell *g DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_index p = (i);
    cell copy = dl_cell_load(g, i DL_ARGS(g));

    (*dl_cell_c(f, p DL_ARGS(f))) += 1;
    (dl_cell_n(f, p DL_ARGS(f))->dl_v) += (*dl_cell_c(f, i DL_ARGS(f)));
    (dl_cell_v(f, i, (i & 1) DL_ARGS(f))->dl_v) *= 2.0f;
    (dl_cell_d(f, i DL_ARGS(f))->dl_v) = (dl_cell_v(f, p, (0) DL_ARGS(f))->dl_v) - (dl_cell_n(f, p DL_ARGS(f))->dl_v)++;
    (dl_cell_rgba(f, p DL_ARGS(f))->dl_v).xz = (dl_cell_rgba(f, p DL_ARGS(f))->dl_v).zx;
    copy.n++;
    dl_cell_store(g, i DL_ARGS(g), copy);
}
