// run: sub_k structs n
// Kernels that a macro makes, whole: one an invocation, among other things.
#define NAME(a, b) a##_##b
#define DEF(name, op)                                                                    \
    __kernel void NAME(name, k)(__global cell * f, int n)                                \
    {                                                                                    \
        int i = get_global_id(0);                                                        \
        if (i < n)                                                                       \
            f[i].x op f[i].y;                                                            \
    }
typedef struct {
    float x, y;
} cell;

//DL: AoS: f[n]
DEF(add, +=)
//DL: AoS: f[n]
DEF(sub, -=) /* not the */ __kernel void last(__global int *g) { g[0] = 2; }

__kernel void
native(__global cell *f)
{
    f[0].x = 0;
}
