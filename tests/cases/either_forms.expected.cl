// run: go structs/13+1 structs/13+1 structs/13+1 words:1 n
typedef struct {
    int n, m;
    union {
        float f;
        int i;
    } u;
    struct {
        char c;
        short s;
    } in;
} cell;

#define SIDE(c) ((c) & 1 ? f : g)
#define NUM(p) ((p)->n & 0xff)

int sum(__global const cell *a, __global const cell *b, __global const cell *none)
{
    const int more = none ? 7 : 3;

    a = a->n & 1 ? a : b;
    return (a ? a->m & 15 : 0) + more + (b[0].n > a[0].n);
}

//DL: AoS: f[n] AOS2ASTA_cell, g[n] AOS2ASTA_cell, h[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 0, 4);
}
static __global int *dl_cell_m(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 16, 4, 4);
}
#line 17
static DL_INLINE int dl_sum(__global const cell *a, dl_index dl_at_a DL_PARAMS(a), __global const cell *b, dl_index dl_at_b DL_PARAMS(b), __global const cell *none)
{ dl_far dl_far_a = dl_far_at(a, dl_at_a DL_ARGS(a));
    const int more = none ? 7 : 3;

    dl_far_a = (*dl_cell_n((__global cell *)dl_far_a.dl_f, dl_far_a.dl_i DL_FAR_ARGS(dl_far_a))) & 1 ? dl_far_a : dl_far_at(b, dl_at_b DL_ARGS(b));
    return ((0 != dl_far_a.dl_f) ? (*dl_cell_m((__global cell *)dl_far_a.dl_f, dl_far_a.dl_i DL_FAR_ARGS(dl_far_a))) & 15 : 0) + more + ((*dl_cell_n(b, dl_at_b + 0 DL_ARGS(b))) > (*dl_cell_n((__global cell *)dl_far_a.dl_f, dl_far_a.dl_i + 0 DL_FAR_ARGS(dl_far_a))));
}
#line 17
static DL_INLINE int dl_sum_2(__global const cell *a, dl_index dl_at_a DL_PARAMS(a), __global const cell *b, dl_index dl_at_b DL_PARAMS(b), __global const cell *none, dl_index dl_at_none DL_PARAMS(none))
{ dl_far dl_far_a = dl_far_at(a, dl_at_a DL_ARGS(a));
    const int more = (none && dl_at_none != DL_NULL) ? 7 : 3;

    dl_far_a = (*dl_cell_n((__global cell *)dl_far_a.dl_f, dl_far_a.dl_i DL_FAR_ARGS(dl_far_a))) & 1 ? dl_far_a : dl_far_at(b, dl_at_b DL_ARGS(b));
    return ((0 != dl_far_a.dl_f) ? (*dl_cell_m((__global cell *)dl_far_a.dl_f, dl_far_a.dl_i DL_FAR_ARGS(dl_far_a))) & 15 : 0) + more + ((*dl_cell_n(b, dl_at_b + 0 DL_ARGS(b))) > (*dl_cell_n((__global cell *)dl_far_a.dl_f, dl_far_a.dl_i + 0 DL_FAR_ARGS(dl_far_a))));
}
typedef DL_ALIASED(int) dl_cell_u_i_view;
static __global dl_cell_u_i_view *dl_cell_u_i(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_u_i_view, dl_f, dl_i, 16, 8, 4);
}
static __global short *dl_cell_in_s(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(short, dl_f, dl_i, 16, 14, 2);
}
static __global char *dl_cell_in_c(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(char, dl_f, dl_i, 16, 12, 1);
}
typedef DL_ALIASED(float) dl_cell_u_f_view;
static __global dl_cell_u_f_view *dl_cell_u_f(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_cell_u_f_view, dl_f, dl_i, 16, 8, 4);
}
static void dl_cell_store(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell *dl_s)
{
    *DL_AT(int, dl_f, dl_i, 16, 0, 4) = (*dl_s).n;
    *DL_AT(int, dl_f, dl_i, 16, 4, 4) = (*dl_s).m;
    ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 8, 4))->dl_v = (*dl_s).u.f;
    *DL_AT(char, dl_f, dl_i, 16, 12, 1) = (*dl_s).in.c;
    ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 16, 13, 1))->dl_v = ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 13))->dl_v;
    *DL_AT(short, dl_f, dl_i, 16, 14, 2) = (*dl_s).in.s;
}
static void dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS, cell *dl_s)
{
    (*dl_s).n = *DL_AT(int, dl_f, dl_i, 16, 0, 4);
    (*dl_s).m = *DL_AT(int, dl_f, dl_i, 16, 4, 4);
    (*dl_s).u.f = ((__global DL_ALIASED(float) *)DL_AT(float, dl_f, dl_i, 16, 8, 4))->dl_v;
    (*dl_s).in.c = *DL_AT(char, dl_f, dl_i, 16, 12, 1);
    ((DL_ALIASED(unsigned char) *)((unsigned char *)dl_s + 13))->dl_v = ((__global DL_ALIASED(unsigned char) *)DL_AT(unsigned char, dl_f, dl_i, 16, 13, 1))->dl_v;
    (*dl_s).in.s = *DL_AT(short, dl_f, dl_i, 16, 14, 2);
}
//DL-kernel: go 5
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 16 line 25 type cell
//DL-leaves: 0+4*3 12+1*2 14+2
//DL-structs: arg(4, i4, 0)
//DL-gaps: 13+1
//DL-access: unknown 4+4 read write
//DL-access: unknown 0+4 read loops 1 line 32
//DL-access: unknown 0+4 read write atomic loops 1 line 32
//DL-access: unknown 8+4 read write loops 1 line 32
//DL-access: unknown 14+2 read write loops 1 line 32
//DL-access: unknown 12+1 read loops 1 line 32
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 0+4 read write
//DL-access: unknown 4+4 read conditional
//DL-access: unknown 0+4 read
//DL-access: unknown 12+1 read conditional
//DL-buffer: g arg 1 write aos bytes 16 line 25 type cell
//DL-leaves: 0+4*3 12+1*2 14+2
//DL-structs: arg(4, i4, 0)
//DL-gaps: 13+1
//DL-access: unknown 4+4 read write
//DL-access: unknown 0+4 read loops 1 line 32
//DL-access: unknown 0+4 read write atomic loops 1 line 32
//DL-access: unknown 8+4 read write loops 1 line 32
//DL-access: unknown 14+2 read write loops 1 line 32
//DL-access: unknown 12+1 read loops 1 line 32
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 0+4 read write
//DL-access: unknown 4+4 read conditional
//DL-access: unknown 0+4 read
//DL-access: unknown 12+1 read conditional
//DL-buffer: h arg 2 write aos bytes 16 line 25 type cell
//DL-leaves: 0+4*3 12+1*2 14+2
//DL-structs: arg(4, i4, 0)
//DL-gaps: 13+1
//DL-access: unknown 4+4 read write
//DL-access: unknown 0+4 read loops 1 line 32
//DL-access: unknown 0+4 read write atomic loops 1 line 32
//DL-access: unknown 8+4 read write loops 1 line 32
//DL-access: unknown 14+2 read write loops 1 line 32
//DL-access: unknown 12+1 read loops 1 line 32
//DL-access: linear 1 0+16 read write
//DL-access: linear 1 0+4 read write
//DL-access: unknown 4+4 read conditional
//DL-access: unknown 0+4 read
//DL-access: unknown 12+1 read conditional
//DL-end: go
#line 26
__kernel void go(__global cell *f, __global cell *restrict g, __global cell h[], __global int *out,
                 int n DL_PARAMS(f) DL_PARAMS(g) DL_PARAMS(h))
{ dl_far dl_far_g = dl_far_at(g, 0 DL_ARGS(g));
    int i = get_global_id(0), k = 0;
    dl_far p = ((k++) & 1 ? dl_far_at(f, 0 DL_ARGS(f)) : dl_far_g);

    for (dl_far q = i & 2 ? dl_far_at(f, (i) DL_ARGS(f)) : i & 4 ? dl_far_moved(dl_far_g, (dl_index)(i)) : dl_far_at(h, (i) DL_ARGS(h)), r = q; k < 4; r = q, k++) {
        (*dl_cell_m((__global cell *)q.dl_f, q.dl_i DL_FAR_ARGS(q))) += ((*dl_cell_n((__global cell *)r.dl_f, (r.dl_i) DL_FAR_ARGS(r))) & 0xff) + k;
        atomic_add(dl_cell_n((__global cell *)q.dl_f, q.dl_i DL_FAR_ARGS(q)), k);
        (dl_cell_u_i((__global cell *)r.dl_f, ((r.dl_i + 0)) DL_FAR_ARGS(r))->dl_v) ^= 5, (*dl_cell_in_s((__global cell *)r.dl_f, r.dl_i DL_FAR_ARGS(r))) += (*dl_cell_in_c((__global cell *)r.dl_f, (r.dl_i + 0) + 0 DL_FAR_ARGS(r)));
        (dl_cell_u_f((__global cell *)r.dl_f, (1 - 1 + r.dl_i) DL_FAR_ARGS(r))->dl_v) = (float)((dl_cell_u_i((__global cell *)r.dl_f, r.dl_i DL_FAR_ARGS(r))->dl_v) & 7);
    }
    {
        dl_far p = dl_far_at(f, 0 DL_ARGS(f)), x = ((i) & 1 ? dl_far_at(f, 0 DL_ARGS(f)) : dl_far_g);

        p = i % 3 ? p : dl_far_at(h, 0 DL_ARGS(h));
        ({ cell dl_s; dl_cell_store((__global cell *)x.dl_f, x.dl_i + i DL_FAR_ARGS(x), (dl_s = ({ cell dl_s; dl_cell_load((__global cell *)p.dl_f, p.dl_i + i DL_FAR_ARGS(p), &dl_s); dl_s; }), &dl_s)); });
        p.dl_i += i, x.dl_i += i - 1, ++x.dl_i;
        --p.dl_i;
        p.dl_i++;
        ({ cell dl_s; dl_cell_store((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p), (dl_s = ({ cell dl_s; dl_cell_load((__global cell *)x.dl_f, x.dl_i DL_FAR_ARGS(x), &dl_s); dl_s; }), &dl_s)); });
        k += dl_sum((__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p), (__global cell *)x.dl_f, x.dl_i DL_FAR_ARGS(x), 0) + dl_sum_2(h, (i) DL_ARGS(h), (__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p), (__global cell *)x.dl_f, x.dl_i DL_FAR_ARGS(x)) + dl_sum_2((__global cell *)x.dl_f, x.dl_i DL_FAR_ARGS(x), (__global cell *)x.dl_f, x.dl_i DL_FAR_ARGS(x), (__global cell *)p.dl_f, p.dl_i DL_FAR_ARGS(p));
    }
    (*dl_cell_n(h, i DL_ARGS(h))) = k + ((*dl_cell_n((__global cell *)p.dl_f, (p.dl_i + i) DL_FAR_ARGS(p))) & 0xff) + (int)sizeof(char[4]);
    dl_far_g = k & 1 ? dl_far_at(h, (i) DL_ARGS(h)) : dl_far_moved(dl_far_g, (dl_index)(i));
    (*dl_cell_m((__global cell *)dl_far_g.dl_f, dl_far_g.dl_i DL_FAR_ARGS(dl_far_g))) ^= k;
    out[i] = (0 != dl_far_g.dl_f) ? (*dl_cell_in_c((__global cell *)dl_far_g.dl_f, dl_far_g.dl_i DL_FAR_ARGS(dl_far_g))) : -1;
}
