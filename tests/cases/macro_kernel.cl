// run: sub_k structs n
// Kernels that a macro makes, whole: one an invocation, several, among other things.
#define NAME(a, b) a##_##b
#define DEF(name, op)                                                                    \
    __kernel void NAME(name, k)(__global cell * f, int n)                                \
    {                                                                                    \
        int i = get_global_id(0);                                                        \
        if (i < n)                                                                       \
            f[i].x op f[i].y;                                                            \
    }
#define BOTH(type, name)                                                                 \
    typedef type name##_type;                                                            \
    __kernel void name##_first(__global cell *f, int n)                                  \
    {                                                                                    \
        f[get_global_id(0)].x = (name##_type)n;                                          \
    }                                                                                    \
    __kernel void name##_other(__global int *g) { g[0] = 1; }                            \
    float name##_twice(__global const cell *c) { return c->y * 2; }                      \
    __kernel void name##_second(__global cell *f, int n)                                 \
    {                                                                                    \
        f[get_global_id(0)].y = name##_twice(&f[n - 1 - get_global_id(0)]);              \
    }
typedef struct {
    float x, y;
} cell;

//DL: AoS: f[n]
DEF(add, +=)
//DL: AoS: f[n]
DEF(sub, -=) /* not the */ __kernel void last(__global int *g) { g[0] = 2; }

//DL: AoS: f[n]
    BOTH(int,
         whole)

__kernel void
native(__global cell *f)
{
    f[0].x = 0;
}
