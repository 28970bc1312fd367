/* SPDX-License-Identifier: MIT */
/* Algorithms: a row for each, how one asks for others, and parts that several share. */
#ifndef DL_TRANSPOSE_ALGORITHM_H
#define DL_TRANSPOSE_ALGORITHM_H

#include <float.h>
#include <math.h>

#include "layout/permute.h"
#include "transpose/plan.h"

/* The numbers of a launch: the kernels' own text. */
typedef uint32_t dl__uint;
typedef uint64_t dl__ulong;
#define uint dl__uint
#define ulong dl__ulong
#include "transpose/algorithms/shape.cl"
#undef uint
#undef ulong

/* The text that every kernel of this room begins with. */
extern const char dl_shape_cl[], dl_units_cl[];

/* ---- algorithms ---- */

/* A cost beyond DBL_MAX: the algorithm is not a candidate unless it is named. */
#define DL__NOT_FOR INFINITY

/* One row for each algorithm. */
struct dl__transpose_algorithm {
    /* Of equal cost the smallest is tried first. Two may be equal; the public list, which
     * only grows at its end, then decides. */
    unsigned order;
    /* The cost, in bytes copied; 0: the best, if it can do the task; DBL_MAX: it probably
     * can't, and is tried last; DL__NOT_FOR. NULL: DL__NOT_FOR for every task. */
    double (*cost)(const struct dl__task *task);
    /* Fills an empty plan's runs and info for its task, or refuses with DL_EREFUSED (the
     * cap) or DL_ENOTSUP (the shape). Nothing is held on failure. */
    enum dl_status (*plan)(struct dl_transpose_plan *plan);
    bool is_out;      /* works out of place; all others in place */
    bool keeps_apart; /* takes rows that lie apart as they are */
    bool takes_axes;  /* and arrays that are not matrices */
    bool scales;      /* out of place: computes alpha and beta */
};

/* X(identifier, "name", "help"): algorithms for comparisons, which no plan chooses
 * by itself. Their numbers follow the public ones. */
#define DL_TRANSPOSE_COMPARED_MAP(X)                                                     \
    X(STAGE4, "4-stage", "0100!, 0010!, 1000!, 0100! [S 4.4]")                           \
    X(STAGE4_FUSED, "4-stage-fused", "4-stage, 0010! and 1000! in one pass")             \
    X(OUT_SELECTIVE, "out-selective", "out of place: Selective Copying [K 4.1]: 1 pass") \
    X(OUT_PARALLEL, "out-parallel", "out of place: Parallel Write [K 4.2]: 1 pass")      \
    X(OUT_AXES_GRID, "out-axes-grid", "out-axes on a flattened grid [L]: 1 pass")        \
    X(SQUARE_NAIVE, "square-naive",                                                      \
      "pairs of tiles by a square grid, half of it idle [G 3]: for comparison")          \
    X(SQUARE_REGIONS, "square-regions",                                                  \
      "square-naive region by region, a launch each: a super grid [G 3.1]")              \
    X(SQUARE_THREADS, "square-threads",                                                  \
      "a pair of elements for each work-item [G, thread-wise]: for comparison")          \
    X(AXES_SWAP_NAIVE, "axes-swap-naive", "axes-swap by a square grid, half of it idle") \
    X(OUT_PADDED, "out-padded", "out of place: tiles padded by a column [K 3]: 1 pass")

#define X(name, text, help) DL__COMPARED_##name,
enum dl__compared { DL_TRANSPOSE_COMPARED_MAP(X) DL__COMPARED_COUNT };
#undef X
#define DL__COMPARED(name)                                                               \
    ((enum dl_transpose_algorithm)(DL_TRANSPOSE_ALGORITHM_COUNT + DL__COMPARED_##name))
enum { DL__ALGORITHMS = DL_TRANSPOSE_ALGORITHM_COUNT + DL__COMPARED_COUNT };
#define DL__ALGORITHM_MAP(X) DL_TRANSPOSE_ALGORITHM_MAP(X) DL_TRANSPOSE_COMPARED_MAP(X)

/* A new algorithm is its file, with this row, and its line in one of the two lists. */
#define DL_TRANSPOSE_ROW(name) const struct dl__transpose_algorithm dl__transpose_##name
#define X(name, text, help) extern DL_TRANSPOSE_ROW(name);
DL__ALGORITHM_MAP(X)
#undef X
/* Packs rows that lie apart, transposes by the algorithm in the plan's info, and spreads
 * the rows. It has no name: only the chooser takes it. */
extern DL_TRANSPOSE_ROW(PACKED);

/* ---- the chooser ---- */

/* Plans a part of a plan's work in the same way, at its offset in the plan's matrix, and
 * appends its runs; out of place its target is the plan's workspace. The plan gets the
 * part's `info` and `why`, but the sum of the passes and the larger workspace. */
enum dl_status dl__part_add(struct dl_transpose_plan *plan, const struct dl__task *part,
                            enum dl_transpose_algorithm algorithm);
/* The cost for each matrix by the algorithm that it would choose; DL__NOT_FOR: none. */
double dl__chosen_cost(const struct dl__task *task);

/* ---- tiles (tiles.c) ---- */

/* How tiles go through registers, from the device's file, for one size of elements. */
struct dl__tiling {
    unsigned side, vector, group, width, hint;
    bool is_odd;             /* rows begin anywhere */
    struct dl__tuning costs; /* those of passes over tiles */
};

/* The numbers for tiles of elements of 1, 2, 4, 8 or 16 bytes; false: it is another size.
 * The device's file has lines for rows that begin at multiples of 64 bytes (`swap 4
 * ...`), at whole vectors (`swap_part 4 ...`) and elsewhere (`swap_odd 4 ...`).
 *   family   "swap" or "out"
 *   aligned  all distances and places, in bytes, combined by OR */
bool dl__tiling_choose(const struct dl__task *task, const char *family, uint64_t aligned,
                       struct dl__tiling *out);
/* How much more the tiles cover than the matrix, as a factor. */
double dl__tiles_waste(uint64_t rows, uint64_t cols, const struct dl__tiling *tiling);
/* Writes the knobs of a kernel that begins with tiles.cl; returns `text`. */
enum { DL__KNOBS_BYTES = 400 };
const char *dl__tiling_knobs(const struct dl__tiling *tiling, const struct dl__task *task,
                             char text[DL__KNOBS_BYTES]);

/* The side of a tile, in elements, where elements go unit by unit. */
static inline unsigned dl__units_side(uint64_t element_bytes)
{
    return element_bytes < 128    ? 32
           : element_bytes < 512  ? 16
           : element_bytes < 4096 ? 4
                                  : 1;
}

/* Tiles that are read by rows and written as runs of columns (columns.cl): `more` rows
 * are read beyond a tile's, `run` words written at once, and `held` loads in flight. */
struct dl__columns {
    unsigned cols, rows, more, run, group, held, hint, width;
};
/* Shortens `run` to what such elements and rows allow; false: the tile and so many bytes
 * more exceed local memory, or its sides are not whole words. */
bool dl__columns_fit(const struct dl__task *task, struct dl__columns *tile,
                     uint64_t other_bytes);
const char *dl__columns_knobs(const struct dl__columns *tile, const struct dl__task *task,
                              char text[DL__KNOBS_BYTES]);

/* Blocks of a work-item of a CPU (blocks.cl). */
static inline bool dl__fits_blocks(const struct dl__task *task)
{
    return task->element_bytes <= 16 && task->unit_bytes == task->element_bytes;
}

const char *dl__blocks_knobs(const struct dl__task *task, char text[DL__KNOBS_BYTES]);

/* ---- parts of algorithms ---- */

enum { DL__RUN_BYTES_MIN = 32 /* shorter elements are parts of sectors */ };

/* Adds the launch that copies rows, dense in the workspace, to the matrix (through.c). */
struct dl__back {
    uint64_t rows, width_bytes, leading_bytes, to_bytes;
};
enum dl_status dl__back_add(struct dl_transpose_plan *plan, struct dl__back back);

/* Ends a plan in place with the launch that conjugates or scales, if its task says so
 * (out_axes.c). */
enum dl_status dl__scale_add(struct dl_transpose_plan *plan);
/* Changes alpha and beta of a plan that scales. */
void dl__scale_set(struct dl_transpose_plan *plan, const double alpha[2],
                   const double beta[2]);

/* The cost of moving elements whole, in place, by marshal_kernels. */
static inline double dl__moved_cost(const struct dl__task *task, uint64_t element_bytes,
                                    double bytes)
{
    const struct dl__tuning *tuning = &task->transpose->tuning;

    return bytes * (element_bytes < tuning->cycles_bytes_min ? tuning->axes_moved_short
                                                             : tuning->axes_moved);
}

/* The largest tile that marshal_kernels takes through local memory with room to spare. */
static inline uint64_t dl__tile_bytes(const struct dl_transpose *transpose)
{
    /* Less than all of local memory: rows are padded, and drivers keep a little. */
    return dl__steps_tile_bytes(&transpose->steps) / 16 * 15 - 64;
}

/* The cost of the longest stretch, for which all wait, in bytes copied. Of `moves` in
 * all, stretches have `stretch` on average; their lengths are geometrically distributed.
 */
static inline double dl__stretch_cost(const struct dl__tuning *tuning, double stretch,
                                      double moves)
{
    double longest = stretch;

    for (double stretches = moves / stretch; stretches > 1; stretches /= 2.7)
        longest += stretch;
    return longest * tuning->hop_bytes;
}

/* An array in the panel algorithm's terms: blocks lie along `rows`. */
struct dl__sides {
    uint64_t rows, cols, element_bytes, offset_bytes;
};
/* Fills in the panel algorithm's numbers for one length and one alignment of blocks, but
 * not its workspace and tiles. False: it is not possible. */
bool dl__panel_shape_make(const struct dl__sides *sides, uint64_t sector_bytes,
                          uint64_t align, uint64_t block, struct panel_shape *out);

#endif
