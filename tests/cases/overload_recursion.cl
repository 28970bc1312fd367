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

//DL: AoS: f[]
__kernel void go(__global cell *f, __global int *out)
{
    int i = get_global_id(0);

    out[i] = sum(f + i, 2) + sum(f + i, (char)1);
}
