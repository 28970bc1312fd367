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
//DL: AoS: f[n] AOS2ASTA_pair_int
typedef struct { int x, y; } pair_int; 
//DL-table: 2
/* prelude */
#ifdef DL_TILING
#if defined pair_
#error dl-annotate saw another device
#endif
#if defined go_
#error dl-annotate saw another device
#endif
#endif
static __global int *dl_pair_int_x(__global const pair_int *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 0, 4);
}
static __global int *dl_pair_int_y(__global const pair_int *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(int, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go_int 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 18 type pair_int
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go_int
#line 19
__kernel void go_int(__global pair_int * f, int n DL_PARAMS(f)) { int i = get_global_id(0); int t = (*dl_pair_int_x(f, i DL_ARGS(f))); (*dl_pair_int_x(f, i DL_ARGS(f))) = (*dl_pair_int_y(f, i DL_ARGS(f))); (*dl_pair_int_y(f, i DL_ARGS(f))) = t; }
#undef T
#define T float
//DL: AoS: f[n] AOS2ASTA_pair_float
typedef struct { float x, y; } pair_float; 
static __global float *dl_pair_float_x(__global const pair_float *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_pair_float_y(__global const pair_float *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: go_float 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 22 type pair_float
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read write
//DL-end: go_float
#line 23
__kernel void go_float(__global pair_float * f, int n DL_PARAMS(f)) { int i = get_global_id(0); float t = (*dl_pair_float_x(f, i DL_ARGS(f))); (*dl_pair_float_x(f, i DL_ARGS(f))) = (*dl_pair_float_y(f, i DL_ARGS(f))); (*dl_pair_float_y(f, i DL_ARGS(f))) = t; }
#undef T
