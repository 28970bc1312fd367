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

//DL: AoS: f[]
__kernel void go(__global cell *f, __global int *out)
{
    int i = get_global_id(0);

    out[2 * i] = helper(f + i) - ov(3);
    out[2 * i + 1] = deeper(f + i, i) - deeper(f + i, 1.0f);
}
