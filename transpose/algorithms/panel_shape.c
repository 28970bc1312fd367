/* SPDX-License-Identifier: MIT */
/* The panel algorithm's shapes: how long blocks are and where cuts lie, by what the
 * passes would cost on the way. */
#include "transpose/internal.h"

static const unsigned cut_steps[] = {8,  10, 12, 14, 16, 18,  20,  24,  28,
                                     32, 40, 48, 64, 96, 128, 192, 256, 512};

/* ---- the shape ---- */

struct dl__tile_rows dl__tile_rows(uint64_t cols, uint64_t rows, uint64_t element_bytes,
                                   unsigned cols_most, uint64_t tile_bytes)
{
    struct dl__tile_rows tile = {.cols = cols_most};
    uint64_t most;

    while (tile.cols > 4 && tile.cols * element_bytes > 256)
        tile.cols /= 2;
    if (cols < tile.cols)
        tile.cols = (uint32_t)cols;
    most = tile_bytes / (tile.cols * element_bytes);
    if (most < 8)
        most = 8;
    /* Equal parts, near enough: a kernel is built for each length. */
    tile.parts = (uint32_t)((rows + most - 1) / most);
    tile.rows =
        (uint32_t)dl__round_up((rows + tile.parts - 1) / tile.parts, rows < 8 ? 1 : 8);
    return tile;
}

double dl__stretch_cost(const struct dl__tuning *tuning, double stretch, double moves)
{
    double longest = stretch;

    for (double stretches = moves / stretch; stretches > 1; stretches /= 2.7)
        longest += stretch;
    return longest * tuning->hop_bytes;
}

/* The bytes that a device could copy in the time that a plan takes, roughly: what
 * candidates are compared by. The numbers fit what an H200 did (bench/results). */
static double cost_of(const struct dl__tuning *tuning,
                      const struct dl__candidate *candidate,
                      const struct dl__sides *sides, bool joining)
{
    const struct panel_shape *shape = &candidate->shape;
    double bytes =
        (double)sides->rows * (double)sides->cols * (double)sides->element_bytes;
    double block = (double)shape->block * (double)sides->element_bytes;
    uint64_t rows = shape->block + (joining ? shape->skew : 0);
    struct dl__tile_rows tile = dl__tile_rows(sides->cols, rows, sides->element_bytes, 64,
                                              (uint64_t)tuning->panel_tile_bytes);
    double tile_bytes = (double)tile.rows * tile.cols * (double)sides->element_bytes;
    /* Rows that are rounded up are idle. */
    double idle = (double)tile.rows * tile.parts / (double)rows;
    /* Measured: what addresses cost, and that rows which begin with sectors are quicker
     * to write. */
    double work =
        tuning->panel_work *
        (joining && sides->cols % shape->align == 0 ? tuning->panel_join_aligned : 1);
    double strip = bytes * shape->strip_rows / (double)sides->rows;
    double moves = (double)shape->blocks * shape->cols;
    double stretch = 1 / (1.0 / candidate->cut + shape->hole / moves);
    /* Panels put the blocks of cuts aside on their way. */
    double saved = shape->hole > 0 ? 0 : 1.0 / candidate->cut;
    double moved =
        (tuning->move_pass + tuning->move_block / block + saved) *
        (shape->align * sides->element_bytes % 16 == 0 ? 1 : tuning->move_unaligned);
    double narrow =
        !joining && sides->cols < 14 ? tuning->panel_few_cols : 1; /* measured, too */

    return tuning->panel_launch_bytes + tuning->panel_strip * strip +
           dl__stretch_cost(tuning, stretch, moves) +
           tuning->panel_pass * bytes * (1 + tuning->panel_block / block) *
               (1 + tuning->panel_tile / tile_bytes) * idle * work * narrow +
           tuning->panel_pass * bytes * moved * narrow;
}

/* Lays out the workspace: counts, hole, strip, saved blocks. */
static uint64_t work_lay_out(struct panel_shape *shape, uint64_t element_bytes)
{
    uint64_t block_bytes = shape->block * element_bytes;
    uint64_t bytes = dl__round_up(4 * COUNT_WORDS * ((uint64_t)shape->blocks + 1), 256);

    shape->hole_bytes = bytes;
    bytes = dl__round_up(bytes + shape->hole * block_bytes, 256);
    shape->strip_bytes = bytes;
    bytes = dl__round_up(
        bytes + (uint64_t)shape->strip_rows * shape->cols * element_bytes, 256);
    shape->saved_bytes = bytes;
    return bytes + shape->cuts * block_bytes;
}

bool dl__panel_shape_make(const struct dl__sides *sides, uint64_t sector_bytes,
                          uint64_t align, uint64_t block, struct panel_shape *out)
{
    struct panel_shape shape = {.rows = sides->rows, .cols = (uint32_t)sides->cols};
    uint64_t phase = 0, step, blocks, rest, hole;

    while (phase < align &&
           (sides->offset_bytes + phase * sides->element_bytes) % sector_bytes != 0)
        phase++;
    shape.phase = (uint32_t)(phase < align ? phase : 0);
    shape.align = (uint32_t)align;
    /* Heads are congruent to the phase modulo what the rows step by. */
    step = dl__gcd(sides->rows % align, align);
    shape.skew = (uint32_t)(align - step + shape.phase % step);
    if (sides->rows < shape.skew + block)
        return false;
    blocks = (sides->rows - shape.skew) / block;
    rest = sides->rows - blocks * block;
    if (blocks * sides->cols > UINT32_MAX / 2 || shape.skew + rest > UINT32_MAX)
        return false;
    /* Place x - hole must end before panel x / cols begins: places drift `rest` elements
     * away with each target row. */
    hole = sides->cols + (sides->cols * rest + block - 1) / block;
    if (hole >= blocks * sides->cols)
        return false;
    shape.hole = (uint32_t)hole;
    shape.block = (uint32_t)block;
    shape.blocks = (uint32_t)blocks;
    shape.strip_rows = (uint32_t)(shape.skew + rest);
    shape.by_blocks = dl__divisor_make(shape.blocks);
    shape.by_cols = dl__divisor_make(shape.cols);
    *out = shape;
    return true;
}

/* Tries every distance of cuts that the cap has room for; keeps the cheapest in `best`.
 */
void dl__cuts_try(const struct dl__tuning *tuning, const struct dl__sides *sides,
                  uint64_t cap_bytes, bool joining, struct panel_shape shape,
                  struct dl__candidate *best)
{
    uint64_t used = (uint64_t)shape.blocks * shape.cols - shape.hole;

    for (size_t c = 0; c < sizeof cut_steps / sizeof *cut_steps; c++) {
        struct dl__candidate candidate = {.shape = shape, .cut = cut_steps[c]};
        if (tuning->cut && cut_steps[c] != tuning->cut)
            continue;
        candidate.shape.cuts = (uint32_t)((used + candidate.cut - 1) / candidate.cut);
        candidate.shape.by_cut = dl__divisor_make(candidate.cut);
        candidate.work_bytes = work_lay_out(&candidate.shape, sides->element_bytes);
        if (candidate.work_bytes > cap_bytes)
            continue;
        candidate.cost = cost_of(tuning, &candidate, sides, joining);
        if (best->cut == 0 || candidate.cost < best->cost)
            *best = candidate;
    }
}

bool dl__candidate_choose(const struct dl__tuning *tuning, const struct dl__task *task,
                          const struct dl__sides *sides, bool joining,
                          struct dl__candidate *best)
{
    uint64_t sector =
        tuning->sector_bytes / dl__gcd(tuning->sector_bytes, sides->element_bytes);
    uint64_t most = tuning->block_bytes / sides->element_bytes;

    best->cut = 0;
    /* A panel of a few columns is one tile: long blocks make it worth a work-group. */
    if (sides->cols < 64 &&
        most < tuning->panel_bytes / (sides->cols * sides->element_bytes))
        most = tuning->panel_bytes / (sides->cols * sides->element_bytes);
    /* Single elements begin anywhere: only for shapes too small for whole sectors. */
    for (uint64_t align = sector; best->cut == 0; align = 1) {
        uint64_t first = task->block_rows ? task->block_rows : align;
        uint64_t last = task->block_rows ? task->block_rows : most > align ? most : align;
        for (uint64_t block = first; block <= last && block <= sides->rows;
             block += align) {
            struct panel_shape shape;
            if (block % align == 0 &&
                dl__panel_shape_make(sides, tuning->sector_bytes, align, block, &shape))
                dl__cuts_try(tuning, sides, task->cap_bytes, joining, shape, best);
        }
        if (align == 1)
            break;
    }
    return best->cut > 0;
}

/* By columns is the inverse of by rows on the transpose. */
struct dl__sides dl__sides_of(const struct dl__task *task, bool by_rows)
{
    return (struct dl__sides){by_rows ? task->rows : task->cols,
                              by_rows ? task->cols : task->rows, task->element_bytes,
                              task->offset_bytes};
}
