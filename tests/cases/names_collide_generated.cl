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

//DL: AoS: x[], f_[], w_a[max(min, 0) * 0 + max], t[]
__kernel void go(__global at *x, __global row *f_, __global w *w_a, __global tail *t,
                 __global int *out, int max, int min)
{
    int i = get_global_id(0), cell = 7;
    __global row *tile = f_ + i;
    int ptrdiff_t = 1, size_t = 2, uchar = 3, uint = 4, ulong = min;
    __global at *byte_ = &x[i];

    x[i].x += index(x + i) + byte(&x[i]) + at_x(byte_);
    f_[i].head.load -= head_f(f_ + i, tile) + row_byte(tile);
    w_a[i].b_2 = w_b(w_a + i) + w_b_2(&w_a[i]) + signed_(w_a + i) + difference(w_a + i);
    w_a[i].b += cell + (int)(tile - f_);
    t[i].f_view += f(t + i) + tail_f(t + i);
    t[i].g = (t[i].g > 0) + t[i].f;
    {
        int at = sizeof(*byte_), row = sizeof(tile->head);

        out[2 * i] = at + row + (int)(byte_ - x);
    }
    out[2 * i + 1] = ptrdiff_t + size_t + uchar + uint + ulong;
}
