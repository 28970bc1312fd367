// Pointers into one of several buffers, which helpers return.
typedef struct {
    float x, y;
    int n;
} cell;

__global cell *one_of(__global cell *f, __global cell *g, int which)
{
    if (which == 3)
        return 0;
    return which & 1 ? f + 1 : g;
}

__global cell *next(__global cell *p, int by)
{
    return p ? p + by : p;
}

__global const cell *larger(__global const cell *p, __global const cell *q)
{
    __global const cell *best = p;

    if (p->n < q->n)
        best = q;
    return best;
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
#line 7
static DL_INLINE dl_far dl_one_of(__global cell *f, dl_index dl_at_f DL_PARAMS(f), __global cell *g, dl_index dl_at_g DL_PARAMS(g), int which)
{
    if (which == 3)
        return dl_far_none();
    return which & 1 ? dl_far_at(f, dl_at_f + 1 DL_ARGS(f)) : dl_far_at(g, dl_at_g DL_ARGS(g));
}
#line 14
static DL_INLINE dl_index dl_next(__global cell *p, dl_index dl_at_p DL_PARAMS(p), int by)
{
    return (p && dl_at_p != DL_NULL) ? dl_at_p + by : dl_at_p;
}
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
#line 19
static DL_INLINE dl_far dl_larger(__global const cell *p, dl_index dl_at_p DL_PARAMS(p), __global const cell *q, dl_index dl_at_q DL_PARAMS(q))
{
    dl_far best = dl_far_at(p, dl_at_p DL_ARGS(p));

    if ((*dl_cell_n(p, dl_at_p DL_ARGS(p))) < (*dl_cell_n(q, dl_at_q DL_ARGS(q))))
        best = dl_far_at(q, dl_at_q DL_ARGS(q));
    return best;
}
//DL-kernel: chosen 4
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 12 line 28 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: unknown 8+4 read
//DL-buffer: g arg 1 read aos bytes 12 line 28 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: unknown 8+4 read
//DL-end: chosen
#line 29
__kernel void chosen(__global cell *f, __global cell *g, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0), k;
    dl_far p = i & 1 ? dl_far_at(f, (i) DL_ARGS(f)) : dl_far_at(g, (i) DL_ARGS(g)), q;
    dl_far b;

    q = dl_one_of(f, 0 DL_ARGS(f), g, 0 DL_ARGS(g), i & 3);
    q = dl_far_set(q, dl_next((__global cell *)q.dl_f, q.dl_i DL_FAR_ARGS(q), n > 2));
    k = (!(q).dl_f) ? 512 : (dl_far_place(q, 12) == dl_far_place(dl_far_at(g, (1) DL_ARGS(g)), 12)) * 1024;
    if (!(0 != q.dl_f))
        q = dl_far_at(g, 0 DL_ARGS(g));
    b = dl_larger((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p), (__global cell *)q.dl_f, q.dl_i DL_FAR_ARGS(q));
    out[i] = k + ((*dl_cell_n((__global cell *)b.dl_f, b.dl_i DL_FAR_ARGS(b))) & 7) + (dl_far_place(dl_one_of(f, 0 DL_ARGS(f), g, 0 DL_ARGS(g), 2), 12) == dl_far_place(dl_far_at(g, 0 DL_ARGS(g)), 12));
}
// run: chosen structs structs words:1 n
