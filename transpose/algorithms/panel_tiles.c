/* SPDX-License-Identifier: MIT */
/* How the panels' pass shares its panels out in tiles, and by which kernel: by runs of
 * whole words where elements are words, or whole ones make words, and blocks begin with
 * them; else unit by unit. */
#include "transpose/internal.h"

#include <stdio.h>

/* Local memory of a tile, about: with the rows or columns more that it may hold, and the
 * tables. */
static uint64_t tile_bytes(const struct dl__panel_tiles *tiles,
                           const struct panel_shape *shape, uint64_t element_bytes)
{
    uint64_t more = shape->align > 1 ? shape->align - 1 : 0;

    return (tiles->rows + more) * (tiles->cols + (shape->cols > tiles->cols ? more : 0)) *
               element_bytes +
           2048;
}

/* Joining, tiles are of the rows of a panel, which is `skew` rows longer than a block. */
static void units_choose(const struct dl_transpose *transpose,
                         const struct dl__tuning *tuning, const struct panel_shape *shape,
                         bool joining, uint64_t element_bytes,
                         struct dl__panel_tiles *tiles)
{
    const struct dl__device_limits *limits = &transpose->engine.limits;
    uint64_t all = shape->block + (joining ? shape->skew : 0);
    struct dl__tile_rows tile;

    tiles->group = tuning->panel_group;
    if (tuning->panel_side > 0) {
        tiles->cols = tiles->rows =
            element_bytes > 64 ? tuning->panel_side_large : tuning->panel_side;
        return;
    }
    tile = dl__tile_rows(shape->cols, all, element_bytes, 64, tuning->panel_bytes);
    tiles->cols = tile.cols;
    tiles->rows = tile.rows;
    /* Small tiles keep fewer work-items busy. */
    if ((uint64_t)tiles->rows * tiles->cols * element_bytes < 14000 && tiles->group > 128)
        tiles->group /= 2;
    while (tiles->group > limits->group_items)
        tiles->group /= 2;
    /* Large elements. */
    while (tiles->cols > 1 &&
           tile_bytes(tiles, shape, element_bytes) > limits->local_bytes)
        tiles->cols /= 2;
    while (tiles->rows > 1 &&
           tile_bytes(tiles, shape, element_bytes) > limits->local_bytes)
        tiles->rows = (tiles->rows + 1) / 2;
}

/* Tiles whose columns are written, or read, as runs of words; false: there are none. */
static bool runs_choose(const struct dl_transpose *transpose,
                        const struct dl__tuning *tuning, const struct dl__task *task,
                        const struct panel_shape *shape, uint32_t vector_bytes,
                        bool joining, struct dl__columns *out)
{
    unsigned e = (unsigned)task->element_bytes, word = e < 4 ? 4 : e;
    unsigned more = shape->align > 1 ? shape->align - 1 : 0;
    struct dl__tile_rows tile;

    if (task->unit_bytes != task->element_bytes || tuning->panel_run == 0 ||
        vector_bytes < word || (joining && e < 4))
        return false;
    tile = dl__tile_rows(shape->cols, shape->block + (joining ? shape->skew : 0), e,
                         tuning->panel_cols, tuning->panel_run_bytes);
    *out = (struct dl__columns){
        .cols = (unsigned)dl__power_of_two_up(tile.cols < 4 / e ? 4 / e : tile.cols),
        .rows = (unsigned)dl__round_up(tile.rows, e < 2 ? 16 : 8),
        .more = shape->skew && !joining ? more : 0,
        .run = tuning->panel_run,
        .group = (unsigned)dl__group_items(transpose, tuning->panel_run_group),
        .held = tuning->panel_run_held,
        .hint = tuning->panel_run_hint};
    while (out->run * word > vector_bytes)
        out->run /= 2;
    /* A table for each column; joining, more columns and, at both ends, a run each. */
    return dl__columns_fit(
        transpose, out, e,
        (uint64_t)(out->cols + more) * 12 + 64 +
            (joining ? more * (out->rows + 9) * e + out->cols * 8 * e : 0));
}

/* Shares a panel out in tiles. */
static void lay_out(struct panel_shape *shape, const struct dl__panel_tiles *tiles,
                    bool joining)
{
    uint32_t rows = shape->block + (joining ? shape->skew : 0), cols = shape->cols;

    /* Tiles can begin with sectors when all of them do so alike. */
    if (joining && cols > tiles->cols && tiles->cols % shape->align == 0 &&
        (cols % shape->align != 0 || shape->phase != 0))
        shape->col_skew = shape->align - 1;
    cols += shape->col_skew;
    shape->tiles_across = (cols + tiles->cols - 1) / tiles->cols;
    shape->tiles_down = (rows + tiles->rows - 1) / tiles->rows;
}

/* The shape's numbers of tiles are written, too. */
static void knobs_write(const struct dl__tuning *tuning, const struct dl__task *task,
                        const struct panel_shape *shape,
                        const struct dl__columns *columns, struct dl__panel_tiles *tiles)
{
    int used;

    if (tiles->by_runs) {
        used = dl__columns_knobs(columns, task->element_bytes, false, tiles->knobs,
                                 sizeof tiles->knobs);
        snprintf(tiles->knobs + used, sizeof tiles->knobs - (size_t)used,
                 "#define COL_SKEW %uu\n", shape->col_skew);
        return;
    }
    snprintf(tiles->knobs, sizeof tiles->knobs,
             "#define UNIT_BYTES %u\n#define UNITS %uu\n#define TILE_COLS %uu\n"
             "#define TILE_ROWS %uu\n#define SKEW %uu\n#define COL_SKEW %uu\n"
             "#define GROUP %uu\n#define UNROLL %u\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes), tiles->cols, tiles->rows,
             shape->skew ? shape->align - 1 : 0, shape->col_skew, tiles->group,
             tuning->unroll);
}

bool dl__panel_tiles_choose(const struct dl_transpose *transpose,
                            const struct dl__tuning *tuning, const struct dl__task *task,
                            struct panel_shape *shape, uint32_t vector_bytes,
                            bool joining, struct dl__panel_tiles *tiles)
{
    struct dl__columns columns;

    tiles->by_runs =
        runs_choose(transpose, tuning, task, shape, vector_bytes, joining, &columns);
    if (tiles->by_runs) {
        tiles->cols = columns.cols;
        tiles->rows = columns.rows;
        tiles->group = columns.group;
    } else {
        units_choose(transpose, tuning, shape, joining, task->element_bytes, tiles);
        if (tile_bytes(tiles, shape, task->element_bytes) >
            transpose->engine.limits.local_bytes)
            return false;
    }
    tiles->by_blocks = !tiles->by_runs && !joining && transpose->tuning.panel_blocks;
    if (tiles->by_blocks)
        tiles->group = 1;
    lay_out(shape, tiles, joining);
    knobs_write(tuning, task, shape, &columns, tiles);
    return true;
}
