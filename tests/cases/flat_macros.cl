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

//DL: AoS: src[n][CELL_ENTRIES_TOTAL], dst[n][2 * 2]
__kernel void
stream(__global const real *src, __global real *dst, int n)
{
    int i = get_global_id(0), wrap = i ? -1 : n - 1;

    if (TEST_FLAG(src, 1u)) {
        LOCAL(dst, C) = SRC_E(src);
    } else {
        DST_W(dst) = SRC_E(src) + LOCAL(src, C) * 0.5f;
    }
    LOCAL(dst, FLAGS) = LOCAL(src, FLAGS);
}
