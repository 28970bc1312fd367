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

//DL: AoS: f[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
static __global float *dl_cell_x(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 0, 4);
}
static __global float *dl_cell_y(__global const cell *dl_f, dl_index dl_i DL_FORMALS)
{
    return DL_AT(float, dl_f, dl_i, 8, 4, 4);
}
//DL-kernel: add_k 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 27 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: add_k
#line 28
__kernel void add_k(__global cell * f, int n DL_PARAMS(f)) { int i = get_global_id(0); if (i < n) (*dl_cell_x(f, i DL_ARGS(f))) += (*dl_cell_y(f, i DL_ARGS(f))); }
//DL: AoS: f[n] AOS2ASTA_cell
//DL-kernel: sub_k 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 29 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: sub_k
#line 30
__kernel void sub_k(__global cell * f, int n DL_PARAMS(f)) { int i = get_global_id(0); if (i < n) (*dl_cell_x(f, i DL_ARGS(f))) -= (*dl_cell_y(f, i DL_ARGS(f))); } /* not the */ __kernel void last(__global int *g) { g[0] = 2; }

//DL: AoS: f[n] AOS2ASTA_cell
typedef int whole_type; 
//DL-kernel: whole_first 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 32 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 write
//DL-end: whole_first
#line 33
    __kernel void whole_first(__global cell *f, int n DL_PARAMS(f)) { (*dl_cell_x(f, get_global_id(0) DL_ARGS(f))) = (whole_type)n; } __kernel void whole_other(__global int *g) { g[0] = 1; } float whole_twice(__global const cell *c) { return c->y * 2; } 
#line 33
static float dl_whole_twice(__global const cell *c, dl_index dl_at_c DL_PARAMS(c)) { return (*dl_cell_y(c, dl_at_c DL_ARGS(c))) * 2; }
//DL-kernel: whole_second 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 32 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 4+4 write
//DL-access: linear -1 4+4 read
//DL-end: whole_second
#line 33
__kernel void whole_second(__global cell *f, int n DL_PARAMS(f)) { (*dl_cell_y(f, get_global_id(0) DL_ARGS(f))) = dl_whole_twice(f, (n - 1 - get_global_id(0)) DL_ARGS(f)); }


__kernel void
native(__global cell *f)
{
    f[0].x = 0;
}
