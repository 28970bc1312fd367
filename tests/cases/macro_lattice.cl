// run: stream structs structs n
#define Q 3
enum { C = 0, E = 1, W = 2 };
#define CELL(grid, i, q) ((grid)[(i)].dir[(q)])
#define SRC(q, di) (CELL(src, (i + n + (di)) % n, (q)))
#define DST(q) (CELL(dst, i, q))
#define FLAG(i) (src[(i)].flags)
#define WALL 1u
#define IS_WALL(i) (FLAG(i) & WALL)
typedef struct {
    float dir[Q];
    uint flags;
} lattice_cell;

//DL: AoS: src[n], dst[n]
__kernel void stream(__global const lattice_cell *restrict src,
                     __global lattice_cell *restrict dst, int n)
{
    const int i = get_global_id(0);
    float rho;

    if (IS_WALL(i)) {
        DST(C) = SRC(C, 0); DST(E) = SRC(W, 0); DST(W) = SRC(E, 0);
    } else {
        rho = SRC(C, 0) + SRC(E, -1) + SRC(W, +1);
        DST(C) = rho * 0.5f;
        DST(E) = SRC(E, -1) * 0.75f + rho;
        DST(W) = SRC(W, 1) * 0.75f - rho;
    }
    dst[i].flags = FLAG(i);
}
