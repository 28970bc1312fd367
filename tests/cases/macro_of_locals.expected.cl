// run: go structs words:2
// Function-like macros with the names of buffers, pointers and types.
#define f(x) ((x) + 1)
#define p(x) ((x) * 2)
#define q p
#define cell(x) x
typedef struct { int a; float b; } cell;
int get(__global cell *p) { return p->a + p(1); }
//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
#line 8
static DL_INLINE int dl_get(__global cell *p, dl_index dl_at_p DL_PARAMS(p)) { return (*dl_cell_a(p, dl_at_p DL_ARGS(p))) + ((1) * 2); }
static __global float *dl_cell_b(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 9 type cell
//DL-leaves: 0+4*2
//DL-structs: *
//DL-access: linear 1 0+4 read
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 0+4 read conditional
//DL-end: go
#line 10
__kernel void go(__global cell *f, __global int *out DL_PARAMS(f)) {
    int i = get_global_id(0);
    dl_index p = (dl_index)(f(i)) - 1;
    out[2*i] = (*dl_cell_a(f, p DL_ARGS(f))) + dl_get(f, p DL_ARGS(f)) + p(2) + f(0) + (int)((dl_difference)(dl_signed)(p - 0)) + sizeof(cell) + sizeof(char[8]);
    (*dl_cell_b(f, p DL_ARGS(f))) += p(3);
    out[2*i+1] = (*dl_cell_b(f, p DL_ARGS(f))) > 0 ? dl_get(f, (i) DL_ARGS(f)) : (*dl_cell_a(f, i DL_ARGS(f)));
}
