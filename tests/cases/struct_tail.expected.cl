// run: go structs~8 structs~13 n
// Members of a struct that the buffer holds only in part, behind the last whole one.
typedef struct {
    int a;
    float b;
    int c[2];
} cell;

typedef struct __attribute__((packed)) {
    char c;
    int n[3];
    short s;
} loose;

int peek(__global cell *p) { return p->a; }

//DL: AoS: f[n] AOS2ASTA_cell, g[] AOS2ASTA_loose
//DL-table: 2
/* prelude */
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 0, 4);
}
#line 15
static DL_INLINE int dl_peek(__global cell *p, dl_index dl_at_p DL_PARAMS(p)) { return (*dl_cell_a(p, dl_at_p DL_ARGS(p))); }
typedef DL_PACKED(int) dl_loose_n_view;
static __global dl_loose_n_view *dl_loose_n(__global const loose *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(dl_loose_n_view, dl_f, dl_i, 15, 1 + dl_k0 * 4, 4);
}
static __global int *dl_cell_c(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 16, 8 + dl_k0 * 4, 4);
}
static __global float *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 16, 4, 4);
}
static __global char *dl_loose_c(__global const loose *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 15, 0, 1);
}
typedef DL_PACKED(short) dl_loose_s_view;
static __global dl_loose_s_view *dl_loose_s(__global const loose *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_loose_s_view, dl_f, dl_i, 15, 13, 2);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 17 type cell
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+8 read write
//DL-access: uniform 0+4 read write conditional
//DL-access: uniform 12+4 read conditional
//DL-access: uniform 4+4 write conditional
//DL-access: linear 1 4+4 read conditional
//DL-buffer: g arg 1 write aos bytes 15 line 17 type loose
//DL-leaves: 0+1 1+4*3 13+2
//DL-structs: *
//DL-access: linear 1 5+4 read
//DL-access: uniform 9+4 write conditional
//DL-access: uniform 0+1 read write conditional
//DL-access: uniform 1+4 read conditional
//DL-access: linear 1 13+2 read conditional
//DL-end: go
#line 18
__kernel void go(__global cell *f, __global loose *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);

    (*dl_cell_a(f, i DL_ARGS(f))) += (dl_loose_n(g, i, (1) DL_ARGS(g))->dl_v);
    (*dl_cell_c(f, i, (i & 1) DL_ARGS(f))) -= (*dl_cell_a(f, i DL_ARGS(f)));
    if (i == n - 1) {
        dl_index p = (n);

        (*dl_cell_a(f, p DL_ARGS(f))) += (*dl_cell_a(f, n DL_ARGS(f))) + (*dl_cell_c(f, p + (-1), (1) DL_ARGS(f))) + dl_peek(f, p DL_ARGS(f)) + (int)((dl_difference)(dl_signed)(p - 0));
        (*dl_cell_b(f, n DL_ARGS(f))) = (*dl_cell_b(f, i DL_ARGS(f)));
        (dl_loose_n(g, n, (2) DL_ARGS(g))->dl_v) = (*dl_loose_c(g, n DL_ARGS(g))) + (dl_loose_n(g, n, (0) DL_ARGS(g))->dl_v);
        (*dl_loose_c(g, n DL_ARGS(g))) ^= (dl_loose_s(g, i DL_ARGS(g))->dl_v);
    }
}
