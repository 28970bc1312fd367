// run: go structs words:2
// ternaries choosing between overloaded calls in index; recursion-like mutual
#define OVER __attribute__((overloadable))
typedef struct { short s[3]; int n; } cell;
int OVER odd(__global cell *p, int k);
int OVER even(__global cell *p, char k);
int OVER even(__global cell *p, short k) { return k > 2 ? p->n : odd(p, (int)k + 1); }
int OVER odd(__global cell *p, int k) { return k > 3 ? p->s[k % 3] : even(p, (char)k); }
int OVER even(__global cell *p, char k) { return p->s[0] + k; }
//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global short *dl_cell_s(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(short, dl_f, dl_i, 12, 0 + dl_k0 * 2, 2);
}
#line 9
static DL_INLINE int __attribute__((overloadable)) dl_even(__global cell *p, dl_index dl_at_p DL_PARAMS(p), char k) { return (*dl_cell_s(p, dl_at_p, (0) DL_ARGS(p))) + k; }
#line 8
static DL_INLINE int __attribute__((overloadable)) dl_odd(__global cell *p, dl_index dl_at_p DL_PARAMS(p), int k) { return k > 3 ? (*dl_cell_s(p, dl_at_p, (k % 3) DL_ARGS(p))) : dl_even(p, dl_at_p DL_ARGS(p), (char)k); }
static __global int *dl_cell_n(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
#line 7
static DL_INLINE int __attribute__((overloadable)) dl_even_2(__global cell *p, dl_index dl_at_p DL_PARAMS(p), short k) { return k > 2 ? (*dl_cell_n(p, dl_at_p DL_ARGS(p))) : dl_odd(p, dl_at_p DL_ARGS(p), (int)k + 1); }
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 12 line 10 type cell
//DL-leaves: 0+2*4 8+4
//DL-structs: *
//DL-access: linear 1 0+6 read conditional
//DL-access: linear 1 0+2 read conditional
//DL-access: linear 1 8+4 read conditional
//DL-access: gather 0+6 read
//DL-access: linear 1 2+2 read
//DL-access: linear 1 0+2 read
//DL-access: linear 1 8+4 read
//DL-end: go
#line 11
__kernel void go(__global cell *f, __global int *out DL_PARAMS(f)) {
    int i = get_global_id(0), n = get_global_size(0);
    out[2*i] = dl_odd(f, (i) DL_ARGS(f), i % 5) + dl_even_2(f, (i) DL_ARGS(f), (short)(i % 4));
    out[2*i+1] = (*dl_cell_s(f, (dl_odd(f, (i) DL_ARGS(f), 1) & 0xff) % n, (dl_even_2(f, (i) DL_ARGS(f), (short)3) & 1) DL_ARGS(f)));
}
