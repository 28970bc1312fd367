// run: stream structs structs n
#define CELL_ENTRIES_TOTAL 4
typedef enum { C = 0, E, W, FLAGS, CELL_ENTRIES } entry;
#define N_CELL_ENTRIES ((int)CELL_ENTRIES)
#define CALC_INDEX(x, e) (e + 4 * ((x)))
#define GRID_ENTRY(g, dx, e) (((g)[CALC_INDEX(i + (dx), e)]))
#define LOCAL(g, e) (GRID_ENTRY(g, 0, e))
#define SRC_E(g) (LOCAL(g, E))
#define DST_W(g) (GRID_ENTRY(g, wrap, W))
#define TEST_FLAG(g, f) ((*((__global const uint *)(&LOCAL(g, FLAGS)))) & (f))
typedef float real;

//DL: AoS: src[n][CELL_ENTRIES_TOTAL] AOS2ASTA_float_4, dst[n][2 * 2] AOS2ASTA_float_4
//DL-table: 2
/* prelude */
static __global float *dl_float_4_in(__global const float *dl_f, dl_index dl_i, dl_index dl_e DL_FORMALS)
{
#ifndef DL_TILING
    return (__global float *)dl_f + (dl_i * 4 + dl_e);
#else
    return DL_AT(float, dl_f, dl_i, 16, dl_e * 4, 4);
#endif
}
//DL-kernel: stream 3
//DL-sums: contractable
//DL-buffer: src arg 0 read aos bytes 16 line 13 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 4+4 read conditional
//DL-access: linear 1 0+4 read conditional
//DL-access: linear 1 12+4 read
//DL-buffer: dst arg 1 write aos bytes 16 line 13 type float
//DL-leaves: 0+4*4
//DL-structs: arg(2, i4, 0)
//DL-access: linear 1 0+4 write conditional
//DL-access: linear 1 8+4 write conditional
//DL-access: linear 1 12+4 write
//DL-end: stream
#line 14
__kernel void
stream(__global const real *src, __global real *dst, int n DL_PARAMS(src) DL_PARAMS(dst))
{ dl_index dl_w_src = (long)4; dl_index dl_w_dst = (long)4;
    int i = get_global_id(0), wrap = i ? -1 : n - 1;

    if (((*((__global const uint *)(dl_float_4_in(src, i + (0), 3 DL_ARGS(src))))) & (1u))) {
        ((((*dl_float_4_in(dst, i + (0), 0 DL_ARGS(dst)))))) = (((((*dl_float_4_in(src, i + (0), 1 DL_ARGS(src)))))));
    } else {
        ((((*dl_float_4_in(dst, i + (wrap), 2 DL_ARGS(dst)))))) = (((((*dl_float_4_in(src, i + (0), 1 DL_ARGS(src))))))) + ((((*dl_float_4_in(src, i + (0), 0 DL_ARGS(src)))))) * 0.5f;
    }
    ((((*dl_float_4_in(dst, i + (0), 3 DL_ARGS(dst)))))) = ((((*dl_float_4_in(src, i + (0), 3 DL_ARGS(src))))));
}
