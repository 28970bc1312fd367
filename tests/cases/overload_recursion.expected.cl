// run: go structs words:1
// A function that calls another of its name does not call itself.
#define OVER __attribute__((overloadable))
typedef struct {
    int a;
    char c[4];
} cell;

int OVER sum(__global cell *c, char k);
int OVER sum(__global cell *c, short k, int by);
int OVER sum(__global cell *c, int k) { return c[0].a + sum(c, (char)k); }
int OVER sum(__global cell *c, char k) { return c->c[k & 3] + sum(c, (short)k, 1); }
int OVER sum(__global cell *c, short k, int by) { return c->a - k * by; }

//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
#line 13
static DL_INLINE int __attribute__((overloadable)) dl_sum_3(__global cell *c, dl_index dl_at_c DL_PARAMS(c), short k, int by) { return (*dl_cell_a(c, dl_at_c DL_ARGS(c))) - k * by; }
static __global char *dl_cell_c(__global const cell *dl_f, dl_index dl_i, dl_index dl_k0 DL_FORMALS)
{
    return DL_ANY_AT(char, dl_f, dl_i, 8, 4 + dl_k0 * 1, 1);
}
#line 12
static DL_INLINE int __attribute__((overloadable)) dl_sum_2(__global cell *c, dl_index dl_at_c DL_PARAMS(c), char k) { return (*dl_cell_c(c, dl_at_c, (k & 3) DL_ARGS(c))) + dl_sum_3(c, dl_at_c DL_ARGS(c), (short)k, 1); }
#line 11
static DL_INLINE int __attribute__((overloadable)) dl_sum(__global cell *c, dl_index dl_at_c DL_PARAMS(c), int k) { return (*dl_cell_a(c, dl_at_c + 0 DL_ARGS(c))) + dl_sum_2(c, dl_at_c DL_ARGS(c), (char)k); }
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 8 line 15 type cell
//DL-leaves: 0+4 4+1*4
//DL-structs: *
//DL-access: linear 1 0+4 read
//DL-access: linear 1 6+1 read
//DL-access: linear 1 5+1 read
//DL-end: go
#line 16
__kernel void go(__global cell *f, __global int *out DL_PARAMS(f))
{
    int i = get_global_id(0);

    out[i] = dl_sum(f, (i) DL_ARGS(f), 2) + dl_sum_2(f, (i) DL_ARGS(f), (char)1);
}
