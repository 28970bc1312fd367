// run: go structs structs structs structs words:2 n int:3
// The program's names with dl_ in front of them are names that generated text has, too.
typedef struct {
    int x, byte;
} at;

typedef struct {
    int row;
    struct {
        int f, load;
    } head;
} row;

typedef struct {
    int a, b_2;
    float b;
} w;

typedef struct __attribute__((packed)) {
    char c;
    int f, f_view;
    float g;
} tail;

typedef union {
    int i;
    float f;
} bits;

int index(__global at *x) { return x->x + x[0].byte; }
int byte(__global at *at) { return at->byte; }
int row_byte(__global row *f) { return f->row; }
int at_x(__global at *x) { return x->x * 3; }
int head_f(__global row *r, __global row *f) { return r->head.f - f->head.load; }
int w_b(__global w *w_b) { return w_b->b_2; }
int w_b_2(__global w *w_b) { return (int)w_b->b; }
int f(__global tail *t) { return t->f; }
int tail_f(__global tail *t) { return t->f_view; }
int signed_(__global w *w) { return w->a; }
int difference(__global w *w) { return w->a + 1; }

//DL: AoS: x[] AOS2ASTA_at, f_[] AOS2ASTA_row, w_a[max(min, 0) * 0 + max] AOS2ASTA_w, t[] AOS2ASTA_tail
//DL-table: 2
/* prelude */
static __global int *dl_of_at_x(__global const at *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_of_at_byte(__global const at *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
#line 30
static DL_INLINE int dl_index_2(__global at *x, dl_index dl_at_x DL_PARAMS(x)) { return (*dl_of_at_x(x, dl_at_x DL_ARGS(x))) + (*dl_of_at_byte(x, dl_at_x + 0 DL_ARGS(x))); }
#line 31
static DL_INLINE int dl_byte_2(__global at *at, dl_index dl_at_at DL_PARAMS(at)) { return (*dl_of_at_byte(at, dl_at_at DL_ARGS(at))); }
#line 33
static DL_INLINE int dl_of_at_x_2(__global at *x, dl_index dl_at_x DL_PARAMS(x)) { return (*dl_of_at_x(x, dl_at_x DL_ARGS(x))) * 3; }
static __global int *dl_of_row_head_f(__global const row *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 4, 4);
}
static __global int *dl_of_row_head_load(__global const row *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 8, 4);
}
#line 34
static DL_INLINE int dl_of_head_f(__global row *r, dl_index dl_at_r DL_PARAMS(r), __global row *f, dl_index dl_at_f DL_PARAMS(f)) { return (*dl_of_row_head_f(r, dl_at_r DL_ARGS(r))) - (*dl_of_row_head_load(r, dl_at_f DL_ARGS(r))); }
static __global int *dl_of_row_row(__global const row *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
#line 32
static DL_INLINE int dl_of_row_byte(__global row *f, dl_index dl_at_f DL_PARAMS(f)) { return (*dl_of_row_row(f, dl_at_f DL_ARGS(f))); }
static __global int *dl_of_w_b_2(__global const w *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 4, 4);
}
#line 35
static DL_INLINE int dl_of_w_b(__global w *w_b, dl_index dl_at_w_b DL_PARAMS(w_b)) { return (*dl_of_w_b_2(w_b, dl_at_w_b DL_ARGS(w_b))); }
static __global float *dl_of_w_b_3(__global const w *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 12, 8, 4);
}
#line 36
static DL_INLINE int dl_of_w_b_2_2(__global w *w_b, dl_index dl_at_w_b DL_PARAMS(w_b)) { return (int)(*dl_of_w_b_3(w_b, dl_at_w_b DL_ARGS(w_b))); }
static __global int *dl_of_w_a(__global const w *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 12, 0, 4);
}
#line 39
static DL_INLINE int dl_signed_(__global w *w, dl_index dl_at_w DL_PARAMS(w)) { return (*dl_of_w_a(w, dl_at_w DL_ARGS(w))); }
#line 40
static DL_INLINE int dl_difference_2(__global w *w, dl_index dl_at_w DL_PARAMS(w)) { return (*dl_of_w_a(w, dl_at_w DL_ARGS(w))) + 1; }
typedef DL_PACKED(int) dl_of_tail_f_view_2;
static __global dl_of_tail_f_view_2 *dl_of_tail_f(__global const tail *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_of_tail_f_view_2, dl_f, dl_i, 13, 1, 4);
}
#line 37
static DL_INLINE int dl_f_2(__global tail *t, dl_index dl_at_t DL_PARAMS(t)) { return (dl_of_tail_f(t, dl_at_t DL_ARGS(t))->dl_v); }
typedef DL_PACKED(int) dl_of_tail_f_view_view;
static __global dl_of_tail_f_view_view *dl_of_tail_f_view(__global const tail *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_of_tail_f_view_view, dl_f, dl_i, 13, 5, 4);
}
#line 38
static DL_INLINE int dl_of_tail_f_2(__global tail *t, dl_index dl_at_t DL_PARAMS(t)) { return (dl_of_tail_f_view(t, dl_at_t DL_ARGS(t))->dl_v); }
typedef DL_PACKED(float) dl_of_tail_g_view;
static __global dl_of_tail_g_view *dl_of_tail_g(__global const tail *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(dl_of_tail_g_view, dl_f, dl_i, 13, 9, 4);
}
//DL-kernel: go 7
//DL-sums: exact
//DL-buffer: x arg 0 write aos bytes 8 line 42 type at
//DL-leaves: 0+4*2
//DL-structs: *
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-buffer: f_ arg 1 write aos bytes 12 line 42 type row
//DL-leaves: 0+4*3
//DL-structs: *
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 4+4 read
//DL-access: linear 1 0+4 read
//DL-buffer: w_a arg 2 write aos bytes 12 line 42 type w
//DL-leaves: 0+4*3
//DL-structs: max(arg(6, i4, 0), 0) * 0 + arg(5, i4, 0)
//DL-access: linear 1 4+4 read write
//DL-access: linear 1 8+4 read write
//DL-access: linear 1 0+4 read
//DL-buffer: t arg 3 write aos bytes 13 line 42 type tail
//DL-leaves: 0+1 1+4*3
//DL-structs: *
//DL-access: linear 1 5+4 read write
//DL-access: linear 1 1+4 read
//DL-access: linear 1 9+4 read write
//DL-end: go
#line 43
__kernel void go(__global at *x, __global row *f_, __global w *w_a, __global tail *t,
                 __global int *out, int max, int min DL_PARAMS(x) DL_PARAMS(f_) DL_PARAMS(w_a) DL_PARAMS(t))
{
    int i = get_global_id(0), cell = 7;
    dl_index tile = (i);
    int ptrdiff_t = 1, size_t = 2, uchar = 3, uint = 4, ulong = min;
    dl_index byte_ = (i);

    (*dl_of_at_x(x, i DL_ARGS(x))) += dl_index_2(x, (i) DL_ARGS(x)) + dl_byte_2(x, (i) DL_ARGS(x)) + dl_of_at_x_2(x, byte_ DL_ARGS(x));
    (*dl_of_row_head_load(f_, i DL_ARGS(f_))) -= dl_of_head_f(f_, (i) DL_ARGS(f_), f_, tile DL_ARGS(f_)) + dl_of_row_byte(f_, tile DL_ARGS(f_));
    (*dl_of_w_b_2(w_a, i DL_ARGS(w_a))) = dl_of_w_b(w_a, (i) DL_ARGS(w_a)) + dl_of_w_b_2_2(w_a, (i) DL_ARGS(w_a)) + dl_signed_(w_a, (i) DL_ARGS(w_a)) + dl_difference_2(w_a, (i) DL_ARGS(w_a));
    (*dl_of_w_b_3(w_a, i DL_ARGS(w_a))) += cell + (int)((dl_difference)(dl_signed)(tile - 0));
    (dl_of_tail_f_view(t, i DL_ARGS(t))->dl_v) += dl_f_2(t, (i) DL_ARGS(t)) + dl_of_tail_f_2(t, (i) DL_ARGS(t));
    (dl_of_tail_g(t, i DL_ARGS(t))->dl_v) = ((dl_of_tail_g(t, i DL_ARGS(t))->dl_v) > 0) + (dl_of_tail_f(t, i DL_ARGS(t))->dl_v);
    {
        int at = sizeof(char[8]), row = sizeof(char[8]);

        out[2 * i] = at + row + (int)((dl_difference)(dl_signed)(byte_ - 0));
    }
    out[2 * i + 1] = ptrdiff_t + size_t + uchar + uint + ulong;
}
