// run: go structs words:2
// The copy of a helper stands where more overloads are declared than around the helper.
#define OVER __attribute__((overloadable))
typedef struct {
    int a;
    float b;
} cell;

int OVER ov(float x) { return (int)(x * 2) + 1; }
int OVER deeper(__global cell *c, float x) { return c->a + ov(x); }
int helper(__global cell *c) { return c->a + ov(3) + deeper(c, 4); }

int OVER ov(int x) { return x + 1000; }
int OVER deeper(__global cell *c, int x) { return c->a - ov(x); }

//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
#line 9
static DL_INLINE int __attribute__((overloadable)) dl_ov(float x) { return (int)(x * 2) + 1; }
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
#line 10
static DL_INLINE int __attribute__((overloadable)) dl_deeper(__global cell *c, dl_index dl_at_c DL_PARAMS(c), float x) { return (*dl_cell_a(c, dl_at_c DL_ARGS(c))) + dl_ov(x); }
#line 11
static DL_INLINE int dl_helper(__global cell *c, dl_index dl_at_c DL_PARAMS(c)) { return (*dl_cell_a(c, dl_at_c DL_ARGS(c))) + dl_ov(3) + dl_deeper(c, dl_at_c DL_ARGS(c), 4); }
#line 14
static DL_INLINE int __attribute__((overloadable)) dl_deeper_2(__global cell *c, dl_index dl_at_c DL_PARAMS(c), int x) { return (*dl_cell_a(c, dl_at_c DL_ARGS(c))) - ov(x); }
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 read aos bytes 8 line 16 type cell
//DL-leaves: 0+4*2
//DL-structs: *
//DL-access: linear 1 0+4 read
//DL-end: go
#line 17
__kernel void go(__global cell *f, __global int *out DL_PARAMS(f))
{
    int i = get_global_id(0);

    out[2 * i] = dl_helper(f, (i) DL_ARGS(f)) - ov(3);
    out[2 * i + 1] = dl_deeper_2(f, (i) DL_ARGS(f), i) - dl_deeper(f, (i) DL_ARGS(f), 1.0f);
}
