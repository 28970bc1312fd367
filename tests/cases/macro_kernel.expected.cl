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

//DL: AoS: f[n] AOS2ASTA_cell
//DL-table: 2
/* prelude */
#ifdef DL_TILING
#if defined add
#error dl-annotate saw another device
#endif
#if defined sub
#error dl-annotate saw another device
#endif
#endif
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
//DL-buffer: f arg 0 write aos bytes 8 line 15 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: add_k
#line 16
__kernel void add_k(__global cell * f, int n DL_PARAMS(f)) { int i = get_global_id(0); if (i < n) (*dl_cell_x(f, i DL_ARGS(f))) += (*dl_cell_y(f, i DL_ARGS(f))); }
//DL: AoS: f[n] AOS2ASTA_cell
//DL-kernel: sub_k 2
//DL-sums: exact
//DL-buffer: f arg 0 write aos bytes 8 line 17 type cell
//DL-leaves: 0+4*2
//DL-structs: arg(1, i4, 0)
//DL-access: linear 1 0+4 read write
//DL-access: linear 1 4+4 read
//DL-end: sub_k
#line 18
__kernel void sub_k(__global cell * f, int n DL_PARAMS(f)) { int i = get_global_id(0); if (i < n) (*dl_cell_x(f, i DL_ARGS(f))) -= (*dl_cell_y(f, i DL_ARGS(f))); } /* not the */ __kernel void last(__global int *g) { g[0] = 2; }

__kernel void
native(__global cell *f)
{
    f[0].x = 0;
}
