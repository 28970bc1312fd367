// run: whole_first structs n
// Several kernels that one macro makes, among other things.
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
    BOTH(int,
         whole)
