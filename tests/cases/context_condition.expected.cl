// A member that stands for a buffer, asked for being null, whose struct is found by what a buffer holds.
typedef struct {
    int x, y;
} cell;
struct ctx {
    __global cell *cells;
    int n;
};

//DL: AoS: f[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 8 line 10 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(2, i4, 0)
//DL-end: go
#line 11
__kernel void go(__global cell *f, __global int *out, int n DL_PARAMS(f))
{
    int i = get_global_id(0), k = 0;
    struct ctx c[2] = {{f, n}, {.n = n, .cells = f}};

    if (c[(*dl_cell_x(f, i DL_ARGS(f))) & 1].cells)
        k = (*dl_cell_y(f, i DL_ARGS(f)));
    if (c[(*dl_cell_y(f, i DL_ARGS(f))) & 1].cells != 0)
        k += (*dl_cell_x(f, n - 1 - i DL_ARGS(f)));
    out[i] = k;
}
// run: go structs words:1 n
