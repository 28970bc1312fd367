// Pointers into one of several buffers, compared with each other.
typedef struct {
    float x, y;
    int n;
} cell;

__global cell *next(__global cell *p, int by)
{
    return p ? p + by : p;
}

int is_first(__global cell *p, __global cell *f)
{
    return p == f;
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
#line 7
static DL_INLINE dl_index dl_next(__global cell *p, dl_index dl_at_p DL_PARAMS(p), int by)
{
    return (p && dl_at_p != DL_NULL) ? dl_at_p + by : dl_at_p;
}
#line 12
static DL_INLINE int dl_is_first(__global cell *p, dl_index dl_at_p DL_PARAMS(p), __global cell *f, dl_index dl_at_f DL_PARAMS(f))
{
    return dl_far_place(dl_far_at(p, dl_at_p DL_ARGS(p)), 12) == dl_far_place(dl_far_at(f, dl_at_f DL_ARGS(f)), 12);
}
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 0, 4);
}
//DL-kernel: go 4
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 12 line 17 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 8+4 read
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 read conditional
//DL-buffer: g arg 1 write aos bytes 12 line 17 type cell
//DL-leaves: 0+4*3
//DL-structs: arg(3, i4, 0)
//DL-access: linear 1 8+4 read
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 8+4 read conditional
//DL-end: go
#line 18
__kernel void go(__global cell *f, __global cell *g, __global int *out, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0), k = 0;
    dl_far p = i & 1 ? dl_far_at(f, 0 DL_ARGS(f)) : dl_far_at(g, 0 DL_ARGS(g)), r, mine;

    if (dl_far_place(p, 12) == dl_far_place(dl_far_at(g, 0 DL_ARGS(g)), 12))
        k += (*dl_cell_n(g, i DL_ARGS(g))) & 1;
    k += (dl_far_place(p, 12) == dl_far_place(dl_far_at(g, 0 DL_ARGS(g)), 12)) + 2 * (dl_far_place(p, 12) != dl_far_place(dl_far_at(f, 0 DL_ARGS(f)), 12)) + 4 * (dl_far_place(dl_far_at(f, 0 DL_ARGS(f)), 12) == dl_far_place(dl_far_at(g, 0 DL_ARGS(g)), 12)) + 8 * (dl_far_place(p, 12) == dl_far_place(dl_far_at(f, (n) DL_ARGS(f)), 12));
    p.dl_i += i;
    if (dl_far_place(p, 12) != dl_far_place(dl_far_at(f, (1) DL_ARGS(f)), 12))
        k += (*dl_cell_n((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p))) & 3;
    r = p;
    r.dl_i += 1;
    k += 16 * (dl_far_place(p, 12) < dl_far_place(r, 12)) + 32 * (dl_far_place(r, 12) >= dl_far_place(p, 12)) + ((*dl_cell_n((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p))) & 7);
    k += 512 * (int)(((dl_difference)((long)(dl_far_place(p, 12) - dl_far_place((i & 1 ? dl_far_at(f, 0 DL_ARGS(f)) : dl_far_at(g, 0 DL_ARGS(g))), 12)) / 12))) + (int)(((dl_difference)((long)(dl_far_place(r, 12) - dl_far_place(p, 12)) / 12))) + (int)(((dl_difference)((long)(dl_far_place(p, 12) - dl_far_place(r, 12)) / 12)));
    mine = dl_far_set(p, dl_next((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p), 0));
    (*dl_cell_x((__global cell *)mine.dl_f, mine.dl_i DL_FAR_ARGS(mine))) += 1.0f;
    k += dl_is_first((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p), f, 0 DL_ARGS(f)) + (dl_far_place(mine, 12) == dl_far_place(p, 12) ? (*dl_cell_n((__global cell *)mine.dl_f, mine.dl_i DL_FAR_ARGS(mine))) & 15 : 0);
    if (dl_far_place(mine, 12) != dl_far_place(r, 12))
        k += (*dl_cell_n((__global cell *)r.dl_f, r.dl_i + (-1) DL_FAR_ARGS(r))) & 31;
    if (dl_far_place(r, 12) > dl_far_place(mine, 12))
        k += (*dl_cell_n((__global cell *)mine.dl_f, (mine.dl_i - 1) + 1 DL_FAR_ARGS(mine))) & 63;
    out[i] = k;
}

// run: go structs structs words:1 n
