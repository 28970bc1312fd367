// run: go structs words:2
// overloads on enum / bool / half-ish / typedef'd pointers / nested struct by pointer
#define OVER __attribute__((overloadable))
typedef struct { float x, y; } inner;
typedef struct { inner in[2]; int a; bool b; uchar3 rgb; enum k { A, B } e; } cell;
typedef __global cell *gcell;
int OVER r(__global inner *p) { return p->x > 0; }
int OVER r(gcell p) { return p->a; }
int OVER r(inner i) { return i.y > 1; }
int OVER r(bool b) { return b + 2; }
int OVER r(enum k e) { return e + 100; }
int OVER r(uchar u) { return u; }
int OVER r(uchar3 u) { return u.x + u.z; }
//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 32, 16, 4);
}
#line 8
static DL_INLINE int __attribute__((overloadable)) dl_r_2(gcell p, dl_index dl_at_p DL_PARAMS(p)) { return (*dl_cell_a(p, dl_at_p DL_ARGS(p))); }
static inner dl_cell_in_load(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    inner dl_s;
    dl_s.x = *DL_ANY_AT(float, dl_f, dl_i, 32, 0 + dl_k0 * 8, 4);
    dl_s.y = *DL_ANY_AT(float, dl_f, dl_i, 32, 4 + dl_k0 * 8, 4);
    return dl_s;
}
static __global uchar3 *dl_cell_rgb(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(uchar3, dl_f, dl_i, 32, 24, 4);
}
static __global bool *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(bool, dl_f, dl_i, 32, 20, 1);
}
static __global enum k *dl_cell_e(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(enum k, dl_f, dl_i, 32, 28, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 32 line 14 type cell
//DL-leaves: 0+4*5 20+1*2 22+2 24+4*2
//DL-structs: *
//DL-access: linear 1 16+4 read
//DL-access: linear 1 0+16 read
//DL-access: linear 1 24+4 read
//DL-access: linear 1 8+8 read
//DL-access: linear 1 20+1 read
//DL-access: linear 1 28+4 read
//DL-end: go
#line 15
__kernel void go(__global cell *f, __global int *out DL_PARAMS(f)) {
    int i = get_global_id(0);
    dl_index p = (i);
    out[2*i] = dl_r_2(f, (i) DL_ARGS(f)) + dl_r_2(f, p DL_ARGS(f)) * 2 + r(dl_cell_in_load(f, i, (i & 1) DL_ARGS(f))) + r((*dl_cell_rgb(f, p DL_ARGS(f)))) + r((*dl_cell_rgb(f, p DL_ARGS(f))).y) + r(dl_cell_in_load(f, p, (1) DL_ARGS(f)));
    out[2*i+1] = dl_r_2(f, (i) DL_ARGS(f)) - r((bool)((*dl_cell_a(f, p DL_ARGS(f))) > 3)) + r((*dl_cell_b(f, i DL_ARGS(f)))) + r((*dl_cell_e(f, i DL_ARGS(f))));
}
