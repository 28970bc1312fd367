// run: go structs structs words:4 n
// Differences, comparisons and sizes, with names of types declared anew.
typedef struct {
    int a;
    enum { RED, GREEN } kind;
    union { int i; float f; } u;
} cell;
typedef struct { char c; int n; } __attribute__((packed)) loose;

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_loose
//DL-table: 2
/* prelude */
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
typedef DL_ALIASED(int) dl_cell_u_i_view;
static __global dl_cell_u_i_view *dl_cell_u_i(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_u_i_view, dl_f, dl_i, 12, 8, 4);
}
typedef DL_ALIASED(float) dl_cell_u_f_view;
static __global dl_cell_u_f_view *dl_cell_u_f(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_u_f_view, dl_f, dl_i, 12, 8, 4);
}
typedef DL_PACKED(int) dl_loose_n_view;
static __global dl_loose_n_view *dl_loose_n(__global const loose *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_loose_n_view, dl_f, dl_i, 5, 1, 4);
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 10 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 0+4 read
//DL-access: linear 1 8+4 read write
//DL-buffer: g arg 1 write aos bytes 5 line 10 type loose
//DL-leaves: 0+1 1+4
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 1+4 read write
//DL-end: go
#line 11
__kernel void go(__global cell *f, __global loose *g, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    typedef short cell_t;
    cell_t kind = (*dl_cell_a(f, i DL_ARGS(f)));
    struct cell { int x; } local_one = {3};
    dl_index p = (i);
    dl_index q = (i);

    {
        int cell = 5, loose = 6, RED = 7;
        out[4 * i] = cell + loose + RED + sizeof(char[12]) + sizeof(char[4]) + sizeof(char[5]) + (dl_cell_u_i(f, p DL_ARGS(f))->dl_v) + kind;
        (dl_cell_u_f(f, p DL_ARGS(f))->dl_v) = ((dl_cell_u_i(f, p DL_ARGS(f))->dl_v) & 0xff) + (dl_loose_n(g, q DL_ARGS(g))->dl_v);
        (dl_loose_n(g, q DL_ARGS(g))->dl_v) = (dl_loose_n(g, q DL_ARGS(g))->dl_v) + sizeof(char[4]);
    }
    out[4 * i + 1] = local_one.x + (int)sizeof(f[i]) + (int)sizeof(g->n) + (p == (dl_index)((dl_index)(i))) + (p != 0) + ((dl_index)(p - 1l) == (dl_index)((dl_index)(i) - 1u));
    out[4 * i + 2] = ((dl_signed)(p - 1) < (dl_signed)(0)) + 2 * ((dl_signed)(p - 1) >= (dl_signed)(0)) + 4 * ((dl_signed)((dl_index)(-1)) < (dl_signed)(p)) + 8 * ((dl_index)(p - 5ul + 5l) == p) + (int)((dl_difference)(dl_signed)(((dl_index)0 - (3)) - p));
    for (p = (dl_index)(n) - 1; p != (dl_index)(((dl_index)0 - (1))); p--)
        out[4 * i + 3] += (int)((dl_difference)(dl_signed)(p - 0));
    for (p = (dl_index)(n) - 1; (dl_signed)(p) >= (dl_signed)(0); p -= 2u)
        out[4 * i + 3] ^= (int)((dl_difference)(dl_signed)(p - 0));
    for (p = 0; (dl_index)(p - n) != 0; p = p + 1ul)
        out[4 * i + 3] += 3;
}
