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

//DL: AoS: f[]
__kernel void go(__global cell *f, __global int *out)
{
    int i = get_global_id(0);
    cell mine = f[i];
    __global const cell *g = f + i;

    out[4 * i] = ov(f + i, 3) - ov(f + i, 0.5f) + ov(&f[i]) + ov(f + i, 1, 2);
    out[4 * i + 1] = get(f + i) + get(&mine) * 3;
    out[4 * i + 2] = get(&f[i].a) - get(&g->a) + get(f[i].a & 0xff) + get((float)i);
    mine = max(f[i], mine);
    out[4 * i + 3] = min(f + i, 2) + mine.a;
}
