// run: go structs words:4
// A call is resolved by the declaration it refers to, not by the name.
#define OVER __attribute__((overloadable))
typedef struct {
    int a;
    float b;
} cell;

typedef struct {
    int x, y, z;
} other;

// Prototypes stand before the definitions, in another order.
int OVER ov(__global cell *c, float by);
int OVER ov(__global cell *c, int by);

// By int and float, by number of arguments.
int OVER ov(__global cell *c, int by) { return c->a * 3 + by; }
int OVER ov(__global cell *c, float by) { return c[0].a * 5 + (int)(by * 4); }
int OVER ov(__global cell *c) { return c->a * 7; }
int OVER ov(__global cell *c, int by, int more) { return ov(c, by) + ov(c) - more; }

// By address space and by struct; only one takes the buffer's struct.
int OVER get(__private cell *c) { return c->a - 1; }
int OVER get(__global cell *c) { return c->a + ov(c, 1, 2); }
int OVER get(__global const other *o) { return o->x + 100; }
int OVER get(__global const int *i) { return *i ^ 64; }
int OVER get(__global int *i) { return *i ^ 128; }
int OVER get(int i) { return i + 1000; }
int OVER get(float f) { return (int)f + 2000; }

// A builtin's name.
cell OVER max(cell a, cell b) { return a.a > b.a ? a : b; }
int OVER min(__global cell *c, int by) { c->a += 2 * by; return c->a; }

//DL: AoS: f[] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global int *dl_cell_a(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
#line 18
static DL_INLINE int __attribute__((overloadable)) dl_ov(__global cell *c, dl_index dl_at_c DL_PARAMS(c), int by) { return (*dl_cell_a(c, dl_at_c DL_ARGS(c))) * 3 + by; }
#line 19
static DL_INLINE int __attribute__((overloadable)) dl_ov_2(__global cell *c, dl_index dl_at_c DL_PARAMS(c), float by) { return (*dl_cell_a(c, dl_at_c + 0 DL_ARGS(c))) * 5 + (int)(by * 4); }
#line 20
static DL_INLINE int __attribute__((overloadable)) dl_ov_3(__global cell *c, dl_index dl_at_c DL_PARAMS(c)) { return (*dl_cell_a(c, dl_at_c DL_ARGS(c))) * 7; }
#line 21
static DL_INLINE int __attribute__((overloadable)) dl_ov_4(__global cell *c, dl_index dl_at_c DL_PARAMS(c), int by, int more) { return dl_ov(c, dl_at_c DL_ARGS(c), by) + dl_ov_3(c, dl_at_c DL_ARGS(c)) - more; }
#line 25
static DL_INLINE int __attribute__((overloadable)) dl_get(__global cell *c, dl_index dl_at_c DL_PARAMS(c)) { return (*dl_cell_a(c, dl_at_c DL_ARGS(c))) + dl_ov_4(c, dl_at_c DL_ARGS(c), 1, 2); }
#line 34
static DL_INLINE int __attribute__((overloadable)) dl_min(__global cell *c, dl_index dl_at_c DL_PARAMS(c), int by) { (*dl_cell_a(c, dl_at_c DL_ARGS(c))) += 2 * by; return (*dl_cell_a(c, dl_at_c DL_ARGS(c))); }
static cell dl_cell_load(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    cell dl_s;
    dl_s.a = *DL_AT(int, dl_f, dl_i, 8, 0, 4);
    dl_s.b = *DL_AT(float, dl_f, dl_i, 8, 4, 4);
    return dl_s;
}
//DL-kernel: go 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 36 type cell
//DL-leaves: 0+4*2
//DL-structs: *
//DL-access: linear 1 0+8 read
//DL-access: linear 1 0+4 read write
//DL-end: go
#line 37
__kernel void go(__global cell *f, __global int *out DL_PARAMS(f))
{
    int i = get_global_id(0);
    cell mine = dl_cell_load(f, i DL_ARGS(f));
    dl_index g = (i);

    out[4 * i] = dl_ov(f, (i) DL_ARGS(f), 3) - dl_ov_2(f, (i) DL_ARGS(f), 0.5f) + dl_ov_3(f, (i) DL_ARGS(f)) + dl_ov_4(f, (i) DL_ARGS(f), 1, 2);
    out[4 * i + 1] = dl_get(f, (i) DL_ARGS(f)) + get(&mine) * 3;
    out[4 * i + 2] = get(dl_cell_a(f, i DL_ARGS(f))) - get((__global const int *)dl_cell_a(f, g DL_ARGS(f))) + get((*dl_cell_a(f, i DL_ARGS(f))) & 0xff) + get((float)i);
    mine = max(dl_cell_load(f, i DL_ARGS(f)), mine);
    out[4 * i + 3] = dl_min(f, (i) DL_ARGS(f), 2) + mine.a;
}
