// run: go structs structs structs words:2 n
// One pointer into one of several buffers, chosen by a condition or set later, null at times.
typedef struct {
    float x, y;
    int at[3];
} cell;

void bump(__global cell *c, int by)
{
    c->at[by & 1] += by;
    c[0].x *= 0.5f;
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell, h[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_at(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(int, dl_f, dl_i, 20, 8 + dl_k0 * 4, 4);
}
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 20, 0, 4);
}
#line 8
static DL_INLINE void dl_bump(__global cell *c, dl_index dl_at_c DL_PARAMS(c), int by)
{
    (*dl_cell_at(c, dl_at_c, (by & 1) DL_ARGS(c))) += by;
    (*dl_cell_x(c, dl_at_c + 0 DL_ARGS(c))) *= 0.5f;
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 20, 4, 4);
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(float, dl_f, dl_i, 20, 0, 4) = dl_s.x;
    *DL_AT(float, dl_f, dl_i, 20, 4, 4) = dl_s.y;
    *DL_AT(int, dl_f, dl_i, 20, 8, 4) = dl_s.at[0];
    *DL_AT(int, dl_f, dl_i, 20, 12, 4) = dl_s.at[1];
    *DL_AT(int, dl_f, dl_i, 20, 16, 4) = dl_s.at[2];
    return dl_s;
}
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.x = *DL_AT(float, dl_f, dl_i, 20, 0, 4);
    dl_s.y = *DL_AT(float, dl_f, dl_i, 20, 4, 4);
    dl_s.at[0] = *DL_AT(int, dl_f, dl_i, 20, 8, 4);
    dl_s.at[1] = *DL_AT(int, dl_f, dl_i, 20, 12, 4);
    dl_s.at[2] = *DL_AT(int, dl_f, dl_i, 20, 16, 4);
    return dl_s;
}
//DL-kernel: go 5
//DL-sums: contractable
//DL-buffer: f arg 0 write aos bytes 20 line 14 type cell
//DL-leaves: 0+4*5
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-access: unknown 8+12 read
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 0+20 read write
//DL-access: linear 1 8+12 read write walks
//DL-access: linear 1 8+4 read write
//DL-access: unknown 8+4 read conditional
//DL-buffer: g arg 1 write aos bytes 20 line 14 type cell
//DL-leaves: 0+4*5
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-access: unknown 8+12 read
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 0+20 read write
//DL-access: linear 1 8+12 read write walks
//DL-access: linear 1 8+4 read write
//DL-access: unknown 8+4 read conditional
//DL-buffer: h arg 2 write aos bytes 20 line 14 type cell
//DL-leaves: 0+4*5
//DL-structs: arg(4, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-access: unknown 8+12 read
//DL-access: linear 1 16+4 read write
//DL-access: linear 1 0+20 read write
//DL-access: linear 1 8+12 read write walks
//DL-access: linear 1 8+4 read write
//DL-access: unknown 8+4 read conditional
//DL-end: go
#line 15
__kernel void go(__global cell *f, __global cell *g, __global const cell *h, __global int *out,
                 int n DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{
    int i = get_global_id(0), k = 0;
    dl_far p = i & 1 ? dl_far_at(f, 0 DL_ARGS(f)) : dl_far_at(g, (0) DL_ARGS(g));
    dl_far q, end;
    dl_far none = dl_far_none();

    (*dl_cell_x((__global cell *)p.dl_f, p.dl_i + i DL_FAR_ARGS(p))) = (*dl_cell_y((__global cell *)p.dl_f, p.dl_i + i DL_FAR_ARGS(p))) + 1.0f;
    if (i % 3)
        q = dl_far_at(h, (i) DL_ARGS(h));
    else
        q = dl_far_at(g, ((i + n - n)) DL_ARGS(g));
    q = dl_far_moved(q, (dl_index)0 - (dl_index)(1l));
    end = k ? q : dl_far_at(f, 0 DL_ARGS(f));
    none = i & 4 ? none : dl_far_moved(q, (dl_index)(1));
    k = (*dl_cell_at((__global cell *)q.dl_f, q.dl_i + 1, (i % 3) DL_FAR_ARGS(q))) & 0xff;
    p.dl_i += i;
    (*dl_cell_at((__global cell *)p.dl_f, p.dl_i, (2) DL_FAR_ARGS(p)))++;
    dl_cell_store((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p), dl_cell_load((__global cell *)p.dl_f, p.dl_i + 0 DL_FAR_ARGS(p)));
    dl_bump((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p), k);
    dl_bump((__global cell *)p.dl_f, p.dl_i - i + i DL_FAR_ARGS(p), 2);
    if ((0 != none.dl_f) && (0 != (q).dl_f))
        k += (*dl_cell_at((__global cell *)none.dl_f, none.dl_i, (0) DL_FAR_ARGS(none))) & 15;
    out[2 * i] = k + ((!(none).dl_f)) + !(0 != end.dl_f);
    p = dl_far_none();
    out[2 * i + 1] = ((0 != p.dl_f) ? 1 : 2) + (int)sizeof(char[20]);
}
