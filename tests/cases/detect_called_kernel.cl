// detect: on
// optimised: else PoCL 3.1 leaves out the work-group's number where a kernel is called by a kernel
// run: three structs structs
// run: add_two structs
// run: sub structs
// Kernels that a macro makes, one of which calls another, and both are called.
typedef struct { int x, y; } pair;
#define MAKE(name, op)                                                                   \
    __kernel void name(__global pair *f) { f[get_global_id(0)].x op f[get_global_id(0)].y; } \
    __kernel void name##_two(__global pair *f) { name(f); name(f + 0); }
MAKE(add, +=)
MAKE(sub, -=)

__kernel void three(__global pair *f, __global pair *g)
{
    add_two(f);
    sub(g);
    g[get_global_id(0)].y = f[get_global_id(0)].x;
}
