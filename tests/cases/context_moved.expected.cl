// Buffers in a struct that is handed on, whose pointers are moved, replaced by others and null at times.
typedef struct {
    float x, y;
    int n;
} cell;
struct ctx {
    int n;
    __global cell *at;
    __global const cell *end, *best;
    __global const float *rows;
};
struct outer {
    int k;
    struct ctx in;
};

void skip(struct ctx *c, int by)
{
    c->at += by;
    c->rows += 4 * by;
}

void point(struct ctx *c, __global cell *to)
{
    c->at = to + 1;
    --c->at;
}

int count(struct ctx *c)
{
    int k = 0;

    for (; c->at < c->end; c->at++)
        k += c->at->n & 7;
    return k;
}

void bump(__global cell *c, int by)
{
    c->n += by;
}

void consider(struct ctx *c, __global const cell *p)
{
    if (!c->best || c->best->n < p->n || c->best == p)
        c->best = p;
}

int result(struct ctx c)
{
    __global const cell *q = c.best;

    if (c.best != 0 && q)
        return q->n + (int)(q - c.at) + (int)sizeof(*c.at);
    return q == c.best ? 1 : 2;
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n][4] AOS2ASTA_float_4
//DL-table: 2
/* prelude */
#line 17
static DL_INLINE void dl_skip(struct ctx *c, int by, __global cell *dl_at_2, dl_index dl_at_dl_at_2 DL_PARAMS(dl_at_2), __global float *dl_rows_2, dl_index dl_row_dl_rows_2, dl_index dl_at_dl_rows_2, dl_index dl_w_dl_rows_2 DL_PARAMS(dl_rows_2), __global cell *dl_end_2, dl_index dl_at_dl_end_2 DL_PARAMS(dl_end_2), __global cell *dl_best, dl_index dl_at_dl_best DL_PARAMS(dl_best))
{
    c->at += by;
    c->rows += 4 * by;
}
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
#line 38
static DL_INLINE void dl_bump(__global cell *c, dl_index dl_at_c DL_PARAMS(c), int by)
{
    (*dl_cell_n(c, dl_at_c DL_ARGS(c))) += by;
}
#line 23
static DL_INLINE void dl_point(struct ctx *c, __global cell *to, dl_index dl_at_to DL_PARAMS(to), __global cell *dl_at_2, dl_index dl_at_dl_at_2 DL_PARAMS(dl_at_2), __global float *dl_rows_2, dl_index dl_row_dl_rows_2, dl_index dl_at_dl_rows_2, dl_index dl_w_dl_rows_2 DL_PARAMS(dl_rows_2), __global cell *dl_end_2, dl_index dl_at_dl_end_2 DL_PARAMS(dl_end_2), __global cell *dl_best, dl_index dl_at_dl_best DL_PARAMS(dl_best))
{
    c->at = (__global cell *)dl_pointer(to, dl_at_to + 1, 12);
    --c->at;
}
#line 43
static DL_INLINE void dl_consider(struct ctx *c, __global const cell *p, dl_index dl_at_p DL_PARAMS(p), __global cell *dl_at_2, dl_index dl_at_dl_at_2 DL_PARAMS(dl_at_2), __global float *dl_rows_2, dl_index dl_row_dl_rows_2, dl_index dl_at_dl_rows_2, dl_index dl_w_dl_rows_2 DL_PARAMS(dl_rows_2), __global cell *dl_end_2, dl_index dl_at_dl_end_2 DL_PARAMS(dl_end_2), __global cell *dl_best, dl_index dl_at_dl_best DL_PARAMS(dl_best))
{
    if (!c->best || (*dl_cell_n(p, (dl_index)((c->best) - p) DL_ARGS(p))) < (*dl_cell_n(p, dl_at_p DL_ARGS(p))) || (c->best ? (dl_index)(c->best - p) : DL_NULL) == dl_at_p)
        c->best = (__global cell *)dl_pointer(p, dl_at_p, 12);
}
#line 49
static DL_INLINE int dl_result(struct ctx c, __global cell *dl_at_2, dl_index dl_at_dl_at_2 DL_PARAMS(dl_at_2), __global float *dl_rows_2, dl_index dl_row_dl_rows_2, dl_index dl_at_dl_rows_2, dl_index dl_w_dl_rows_2 DL_PARAMS(dl_rows_2), __global cell *dl_end_2, dl_index dl_at_dl_end_2 DL_PARAMS(dl_end_2), __global cell *dl_best, dl_index dl_at_dl_best DL_PARAMS(dl_best))
{
    dl_index q = (c.best ? (dl_index)(c.best - dl_at_2) : DL_NULL);

    if (c.best != 0 && (dl_at_2 && q != DL_NULL))
        return (*dl_cell_n(dl_at_2, q DL_ARGS(dl_at_2))) + (int)((dl_difference)(dl_signed)(q - (c.at ? (dl_index)(c.at - dl_at_2) : DL_NULL))) + (int)sizeof(*c.at);
    return q == (c.best ? (dl_index)(c.best - dl_at_2) : DL_NULL) ? 1 : 2;
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
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
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 4, 4);
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(float, dl_f, dl_i, 12, 0, 4) = dl_s.x;
    *DL_AT(float, dl_f, dl_i, 12, 4, 4) = dl_s.y;
    *DL_AT(int, dl_f, dl_i, 12, 8, 4) = dl_s.n;
    return dl_s;
}
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.x = *DL_AT(float, dl_f, dl_i, 12, 0, 4);
    dl_s.y = *DL_AT(float, dl_f, dl_i, 12, 4, 4);
    dl_s.n = *DL_AT(int, dl_f, dl_i, 12, 8, 4);
    return dl_s;
}
//DL-kernel: go 4
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 12 line 58 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-buffer: g arg 1 read aos bytes 16 line 58 type float
//DL-leaves: 0+4*4
//DL-structs: arg(3, i4, 0)
//DL-end: go
#line 59
__kernel void go(__global cell *f, __global const float *g, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g))
{ dl_index dl_w_g = (long)4;
    int i = get_global_id(0);
    struct ctx c = {.n = n, .at = (__global cell *)dl_pointer(f, (i), 12), .rows = (__global float *)dl_pointer(g, ((dl_index)(1) * dl_w_g + (0)), 4)}, d = {n};
    struct outer o = {3, {n, (__global cell *)dl_pointer(f, (i), 12), (__global cell *)dl_pointer(f, (n), 12), 0, g}};
    struct ctx two[2] = {{n, f}, {n, (__global cell *)dl_pointer(f, (dl_index)(n) - 1, 12), .best = NULL}};
    dl_index mine = (i);

    c.rows -= 4;
    dl_skip(&c, -i, (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g), (__global cell *)f, 0 DL_ARGS(f), (__global cell *)f, 0 DL_ARGS(f));
    (*dl_cell_x(f, (dl_index)((c.at) - f) + i DL_ARGS(f))) += (*dl_float_4_wide(g, i, (dl_index)(c.rows - g), dl_w_g DL_ARGS(g))) + (*dl_cell_y(f, ((dl_index)((c.at) - f) + n - i) + (i - n) DL_ARGS(f)));
    d.at = (__global cell *)dl_pointer(f, (dl_index)((c.at) - f) + i, 12);
    dl_bump(f, (dl_index)((d.at++) - f) DL_ARGS(f), 5);
    (*dl_cell_y(f, ((dl_index)((--d.at) - f)) DL_ARGS(f))) *= 2.0f;
    if (two[(*dl_cell_n(f, (dl_index)((c.at) - f) DL_ARGS(f))) & 1].at && !d.best)
        (*dl_cell_n(f, mine DL_ARGS(f))) ^= 1;
    dl_point(&d, f, mine DL_ARGS(f), (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g), (__global cell *)f, 0 DL_ARGS(f), (__global cell *)f, 0 DL_ARGS(f));
    dl_cell_store(f, (dl_index)((d.at) - f) DL_ARGS(f), dl_cell_load(f, mine DL_ARGS(f)));
    dl_consider(&d, f, mine DL_ARGS(f), (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g), (__global cell *)f, 0 DL_ARGS(f), (__global cell *)f, 0 DL_ARGS(f));
    o.in.end = (__global cell *)dl_pointer(f, ((dl_index)((o.in.at) - f) + 1), 12);
    out[i] = dl_result(d, (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g), (__global cell *)f, 0 DL_ARGS(f), (__global cell *)f, 0 DL_ARGS(f)) + dl_result(two[1], (__global cell *)f, 0 DL_ARGS(f), (__global float *)g, 0, 0, dl_w_g DL_ARGS(g), (__global cell *)f, 0 DL_ARGS(f), (__global cell *)f, 0 DL_ARGS(f));
}
// run: go structs structs words:1 n
