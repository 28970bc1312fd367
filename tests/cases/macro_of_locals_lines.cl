// run: go structs words:2
// Function-like macros with the names of buffers, pointers and types, used over several lines.
#define f(x) ((x) + 1)
#define p(x) ((x) * 2)
#define q p
#define cell(x) x
typedef struct { int a; float b; } cell;
int get(__global cell *p) { return p->a + p(1); }
//DL: AoS: f[]
__kernel void go(__global cell *f, __global int *out) {
    int i = get_global_id(0);
    __global cell *p = f + f // (
        (
            i) - 1;
    out[2*i] = q
        -> a + get(
            p) + p

        (2) + f(0) + (int)(p - f) + sizeof(cell) + sizeof(*p);
    p->b += p(3);
    out[2*i+1] = (*p).b > 0 ? get(f + i) : f[i].a;
}
