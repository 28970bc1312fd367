// Buffers in a struct that is handed on, by address and by value.
typedef struct {
    float x, y;
    int n;
} cell;
struct ctx {
    __global cell *cells;
    __global const float *rows;
    int n;
};
struct outer {
    struct ctx in;
    int k;
};

float at(const struct ctx *c, int i, int k)
{
    return c->rows[i * 4 + k];
}

void step(struct ctx *c, int i)
{
    __global cell *p = c->cells + i;

    c->cells[i].x += at(c, i, 1);
    p->y *= 2.0f;
    if (c->cells && c->cells != 0)
        (*c).cells[i].n++;
}

int whole(struct outer o, int i)
{
    return i < o.in.n ? o.in.cells[i].n + o.k : 0;
}

void bump(__global cell *c, int by)
{
    c->n += by;
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n][4] AOS2ASTA_float_4
//DL-table: 2
/* prelude */
static __global float *dl_float_4_wide(__global const float *dl_f, dl_index dl_i, dl_index dl_e, dl_index dl_w DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * dl_w + dl_e);
#else
    dl_w = 4;
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
#line 16
static DL_INLINE float dl_at_2(const struct ctx *c, int i, int k, __global cell *dl_cells, dl_index dl_at_dl_cells DL_PARAMS(dl_cells), __global float *dl_rows_2, dl_index dl_row_dl_rows_2, dl_index dl_at_dl_rows_2, dl_index dl_w_dl_rows_2 DL_PARAMS(dl_rows_2))
{
    return (*dl_float_4_wide(dl_rows_2, dl_row_dl_rows_2 + (dl_index)(i), dl_at_dl_rows_2 + (dl_index)(k), dl_w_dl_rows_2 DL_ARGS(dl_rows_2)));
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 4, 4);
}
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
#line 21
static DL_INLINE void dl_step(struct ctx *c, int i, __global cell *dl_cells, dl_index dl_at_dl_cells DL_PARAMS(dl_cells), __global float *dl_rows_2, dl_index dl_row_dl_rows_2, dl_index dl_at_dl_rows_2, dl_index dl_w_dl_rows_2 DL_PARAMS(dl_rows_2))
{
    dl_index p = dl_at_dl_cells + i;

    (*dl_cell_x(dl_cells, dl_at_dl_cells + i DL_ARGS(dl_cells))) += dl_at_2(c, i, 1, (__global cell *)dl_cells, dl_at_dl_cells DL_ARGS(dl_cells), (__global float *)dl_rows_2, dl_row_dl_rows_2, dl_at_dl_rows_2, dl_w_dl_rows_2 DL_ARGS(dl_rows_2));
    (*dl_cell_y(dl_cells, p DL_ARGS(dl_cells))) *= 2.0f;
    if (c->cells && (dl_cells && dl_at_dl_cells != DL_NULL))
        (*dl_cell_n(dl_cells, dl_at_dl_cells + i DL_ARGS(dl_cells)))++;
}
#line 36
static DL_INLINE void dl_bump(__global cell *c, dl_index dl_at_c DL_PARAMS(c), int by)
{
    (*dl_cell_n(c, dl_at_c DL_ARGS(c))) += by;
}
#line 31
static DL_INLINE int dl_whole_2(struct outer o, int i, __global cell *dl_cells, dl_index dl_at_dl_cells DL_PARAMS(dl_cells), __global float *dl_rows_2, dl_index dl_row_dl_rows_2, dl_index dl_at_dl_rows_2, dl_index dl_w_dl_rows_2 DL_PARAMS(dl_rows_2))
{
    return i < o.in.n ? (*dl_cell_n(dl_cells, dl_at_dl_cells + i DL_ARGS(dl_cells))) + o.k : 0;
}
static __global float *dl_float_4_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 4 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 16, dl_e * 4, 4);
#endif
}
//DL-kernel: go 4
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 12 line 41 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-buffer: g arg 1 read aos bytes 16 line 41 type float
//DL-leaves: 0+4*4
//DL-structs: arg(3, i4, 0)
//DL-end: go
#line 42
__kernel void go(__global cell *f, __global const float *g, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_w_g = (long)4;
    int i = get_global_id(0);
    struct ctx c = {f, g, n}, d;
    struct outer o;

    d.cells = f;
    d.rows = g;
    d.n = n;
    o = (struct outer){{f, g, n}, 3};
    dl_step(&c, i, (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g));
    dl_bump(f, (i) DL_ARGS(f), dl_whole_2(o, i, (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g)) & 0xff);
    if (!i)
        (*dl_cell_x(f, 0 DL_ARGS(f))) = 0.5f;
    c = d;
    out[i] = (*dl_cell_n(f, i DL_ARGS(f))) + (int)(*dl_float_4_wide(g, -1, (dl_index)(n) - (dl_index)(i) + 3, dl_w_g DL_ARGS(g))) % 2 + dl_whole_2(o, i, (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g)) + (int)dl_at_2(&o.in, i, 2 % 4, (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g));
    (*dl_cell_y(f, i DL_ARGS(f))) = (*dl_float_4_in(g, i, 3 DL_ARGS(g)));
}
// run: go structs structs words:1 n
