// run: go_float structs n
// One text for several types, by macros that change.
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define TEMPLATE                                                                         \
    typedef struct {                                                                     \
        T x, y;                                                                          \
    } CAT(pair_, T);                                                                     \
    __kernel void CAT(go_, T)(__global CAT(pair_, T) * f, int n)                         \
    {                                                                                    \
        int i = get_global_id(0);                                                        \
        T t = f[i].x;                                                                    \
        f[i].x = f[i].y;                                                                 \
        f[i].y = t;                                                                      \
    }

#define T int
//DL: AoS: f[n]
TEMPLATE
#undef T
#define T float
//DL: AoS: f[n]
TEMPLATE
#undef T
