// run: go structs structs n
typedef struct {
    float x, y;
} pair;
typedef struct {
    int kind;
    pair in;
    float m[3];
    pair many[2];
} cell;

__global cell *at(__global cell *f, int i)
{
    return &f[i];
}

static inline __global const cell *wrapped(__global const cell *f, int i, int n)
{
    __global const cell *p = f + i;

    if (i >= n)
        p = p - n;
    return p;
}

__global pair *inner(__global cell *c)
{
    return &c->in;
}

__global const float *row(int k, __global const cell *c)
{
    return k & 1 ? c->m + 1 : c->m;
}

__global pair *inner_at(__global cell *f, int i)
{
    return inner(at(f, i));
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
#line 12
static DL_INLINE dl_index dl_at_2(__global cell *f, dl_index dl_at_f DL_PARAMS(f), int i)
{
    return (dl_at_f + i);
}
#line 17
static DL_INLINE dl_index dl_wrapped(__global const cell *f, dl_index dl_at_f DL_PARAMS(f), int i, int n)
{
    dl_index p = dl_at_f + i;

    if (i >= n)
        p = p - n;
    return p;
}
#line 26
static DL_INLINE dl_part dl_inner(__global cell *c, dl_index dl_at_c DL_PARAMS(c))
{
    return dl_part_at(dl_at_c, 4);
}
#line 31
static DL_INLINE dl_part dl_row_2(int k, __global const cell *c, dl_index dl_at_c DL_PARAMS(c))
{
    return k & 1 ? dl_moved(dl_part_at(dl_at_c, 12), (dl_index)(1) * 4) : dl_part_at(dl_at_c, 12);
}
#line 36
static DL_INLINE dl_part dl_inner_at(__global cell *f, dl_index dl_at_f DL_PARAMS(f), int i)
{
    return dl_inner(f, dl_at_2(f, dl_at_f DL_ARGS(f), i) DL_ARGS(f));
}
static __global int *dl_cell_kind(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 40, 0, 4);
}
static __global float *dl_cell_in_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 40, 4, 4);
}
static __global float *dl_cell_in_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 40, 8, 4);
}
static __global float *dl_cell_pair_y(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 40, 4 + dl_p.dl_o, 4);
}
static __global float *dl_cell_float(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 40, 0 + dl_p.dl_o, 4);
}
static __global float *dl_cell_pair_x(__global const cell *dl_f, dl_part dl_p DL_FORMALS)
{
    return DL_ANY_AT(float, dl_f, dl_p.dl_i, 40, 0 + dl_p.dl_o, 4);
}
static cell dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell dl_s)
{
    *DL_AT(int, dl_f, dl_i, 40, 0, 4) = dl_s.kind;
    *DL_AT(float, dl_f, dl_i, 40, 4, 4) = dl_s.in.x;
    *DL_AT(float, dl_f, dl_i, 40, 8, 4) = dl_s.in.y;
    *DL_AT(float, dl_f, dl_i, 40, 12, 4) = dl_s.m[0];
    *DL_AT(float, dl_f, dl_i, 40, 16, 4) = dl_s.m[1];
    *DL_AT(float, dl_f, dl_i, 40, 20, 4) = dl_s.m[2];
    *DL_AT(float, dl_f, dl_i, 40, 24, 4) = dl_s.many[0].x;
    *DL_AT(float, dl_f, dl_i, 40, 28, 4) = dl_s.many[0].y;
    *DL_AT(float, dl_f, dl_i, 40, 32, 4) = dl_s.many[1].x;
    *DL_AT(float, dl_f, dl_i, 40, 36, 4) = dl_s.many[1].y;
    return dl_s;
}
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.kind = *DL_AT(int, dl_f, dl_i, 40, 0, 4);
    dl_s.in.x = *DL_AT(float, dl_f, dl_i, 40, 4, 4);
    dl_s.in.y = *DL_AT(float, dl_f, dl_i, 40, 8, 4);
    dl_s.m[0] = *DL_AT(float, dl_f, dl_i, 40, 12, 4);
    dl_s.m[1] = *DL_AT(float, dl_f, dl_i, 40, 16, 4);
    dl_s.m[2] = *DL_AT(float, dl_f, dl_i, 40, 20, 4);
    dl_s.many[0].x = *DL_AT(float, dl_f, dl_i, 40, 24, 4);
    dl_s.many[0].y = *DL_AT(float, dl_f, dl_i, 40, 28, 4);
    dl_s.many[1].x = *DL_AT(float, dl_f, dl_i, 40, 32, 4);
    dl_s.many[1].y = *DL_AT(float, dl_f, dl_i, 40, 36, 4);
    return dl_s;
}
//DL-kernel: go 3
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 40 line 41 type cell
//DL-leaves: 0+4*10
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 0+40 read write
//DL-buffer: g arg 1 read aos bytes 40 line 41 type cell
//DL-leaves: 0+4*10
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 8+4 read
//DL-access: unknown 0+40 read
//DL-end: go
#line 42
__kernel void go(__global cell *f, __global const cell *g, int n DL_PARAMS(f) DL_PARAMS(g))
{
    int i = get_global_id(0);
    dl_index mine = dl_at_2(f, 0 DL_ARGS(f), i);

    (*dl_cell_kind(f, dl_at_2(f, 0 DL_ARGS(f), i) DL_ARGS(f))) += 1;
    (*dl_cell_in_x(f, mine DL_ARGS(f))) = (*dl_cell_in_y(g, dl_wrapped(g, 0 DL_ARGS(g), i + 1, n) DL_ARGS(g)));
    (*dl_cell_pair_y(f, dl_inner(f, mine DL_ARGS(f)) DL_ARGS(f))) += (*dl_cell_float(g, dl_moved(dl_row_2(i, g, dl_wrapped(g, 0 DL_ARGS(g), i + n / 2, n) DL_ARGS(g)), (dl_index)(1) * 4) DL_ARGS(g)));
    (*dl_cell_pair_x(f, dl_inner_at(f, 0 DL_ARGS(f), i) DL_ARGS(f))) -= (*dl_cell_float(g, dl_row_2(i, g, (i) DL_ARGS(g)) DL_ARGS(g)));
    dl_cell_store(f, dl_at_2(f, 0 DL_ARGS(f), i) DL_ARGS(f), dl_cell_load(f, mine DL_ARGS(f)));
    (*dl_cell_kind(f, i DL_ARGS(f))) ^= dl_at_2(f, 0 DL_ARGS(f), i) == mine;
}
