/* SPDX-License-Identifier: MIT */
/* Sizes of tiles, and the knobs of their kernels: tiles that go through registers
 * (tiles.cl), tiles that are read by rows and written as runs of columns (columns.cl),
 * and blocks (blocks.cl). */
#include "algorithm.h"

#include <stdio.h>
#include <string.h>

/* Rows that begin so far apart are in whole sectors of the memory, and pairs of them. */
enum { WHOLE_BYTES = 64 };

bool dl__tiling_choose(const struct dl__task *task, const char *family, uint64_t aligned,
                       struct dl__tiling *out)
{
    static const char *const kinds[] = {"", "_part", "_odd"};
    const uint64_t element_bytes = task->element_bytes;
    bool is_out = strcmp(family, "out") == 0;

    if (element_bytes > 16 || (element_bytes & (element_bytes - 1)) != 0 ||
        aligned % element_bytes != 0)
        return false;
    for (unsigned k = 0; k < 3; k++) {
        struct dl__tuning known;
        char name[16];
        snprintf(name, sizeof name, "%s%s", family, kinds[k]);
        known = dl__tuning_for(task->transpose, name, element_bytes);
        *out = (struct dl__tiling){is_out ? known.out_side : known.square_side,
                                   is_out ? known.out_vector : known.square_vector,
                                   is_out ? known.out_group : known.square_group,
                                   is_out ? known.out_width : known.square_width,
                                   is_out ? known.out_hint : known.square_hint,
                                   k == 2,
                                   known};
        /* No register or memory access is wider. */
        while (out->vector * element_bytes > 16)
            out->vector /= 2;
        if (aligned % (k == 0 ? WHOLE_BYTES : out->vector * element_bytes) == 0)
            break;
        out->vector = 1;
    }
    while (out->side * out->side * element_bytes + 64 >
           task->transpose->engine.limits.local_bytes)
        out->side /= 2;
    while (out->vector > out->side)
        out->vector /= 2;
    out->group = (unsigned)dl__group_items(task->transpose, out->group);
    while (out->group > out->side / out->vector * (out->side / out->vector))
        out->group /= 2;
    return out->side >= 4;
}

double dl__tiles_waste(uint64_t rows, uint64_t cols, const struct dl__tiling *tiling)
{
    double waste = (double)dl__round_up(rows, tiling->side) / (double)rows *
                   ((double)dl__round_up(cols, tiling->side) / (double)cols);

    if (tiling->is_odd)
        return waste;
    /* Measured: even with three of four work-items idle, enough whole vectors are in
     * flight. */
    return waste < 4 ? 1 : waste / 4;
}

const char *dl__tiling_knobs(const struct dl__tiling *tiling, const struct dl__task *task,
                             char text[DL__KNOBS_BYTES])
{
    snprintf(text, DL__KNOBS_BYTES,
             "#define ELEMENT_BYTES %u\n#define VECTOR %u\n#define SIDE %uu\n#define "
             "GROUP %uu\n#define UNROLL %u\n#define L2_HINT %u\n#define CONJUGATE %d\n",
             (unsigned)task->element_bytes, tiling->vector, tiling->side, tiling->group,
             task->transpose->tuning.unroll > 1 ? 64u : 1u,
             tiling->hint > 1 ? tiling->hint : 0, task->conjugate);
    return text;
}

/* ---- runs of columns ---- */

bool dl__columns_fit(const struct dl__task *task, struct dl__columns *tile,
                     uint64_t other_bytes)
{
    unsigned pack = task->element_bytes < 4 ? 4 / (unsigned)task->element_bytes : 1;
    uint64_t word = pack * task->element_bytes, down;

    while (tile->run > 1 &&
           (tile->run * word > 16 || tile->rows % (tile->run * pack) != 0))
        tile->run /= 2;
    while (tile->cols / pack > tile->group)
        tile->cols /= 2;
    if (tile->rows % (tile->run * pack) != 0 || tile->cols < pack ||
        (tile->cols & (tile->cols - 1)) != 0 || tile->group % (tile->cols / pack) != 0)
        return false;
    down = dl__divide_up(tile->rows + tile->more, pack);
    return ((down + 1) | 1) * tile->cols * word + other_bytes <=
           task->transpose->engine.limits.local_bytes;
}

const char *dl__columns_knobs(const struct dl__columns *tile, const struct dl__task *task,
                              char text[DL__KNOBS_BYTES])
{
    snprintf(text, DL__KNOBS_BYTES,
             "#define ELEMENT_BYTES %u\n#define TILE_COLS %uu\n#define TILE_ROWS "
             "%uu\n#define MORE_ROWS %uu\n#define RUN %u\n#define GROUP %uu\n"
             "#define HELD %uu\n#define L2_HINT %u\n#define CONJUGATE %d\n",
             (unsigned)task->element_bytes, tile->cols, tile->rows, tile->more, tile->run,
             tile->group, tile->held ? tile->held : 1, tile->hint > 1 ? tile->hint : 0,
             task->conjugate);
    return text;
}

/* ---- blocks of CPUs ---- */

const char *dl__blocks_knobs(const struct dl__task *task, char text[DL__KNOBS_BYTES])
{
    snprintf(text, DL__KNOBS_BYTES,
             "#define ELEMENT_BYTES %u\n#define SIDE %uu\n#define CONJUGATE %d\n",
             (unsigned)task->element_bytes, task->transpose->tuning.block_side,
             task->conjugate);
    return text;
}
