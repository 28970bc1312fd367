/* SPDX-License-Identifier: MIT */
/* Near-square matrices as squares (Dow; Sung 2013, 4.1.1). The strip beyond the square is
 * transposed into the workspace; the square's tiles are swapped where they lie; its rows
 * slide together or apart, all at once, to their places in the transpose, which is the
 * thesis's parallel unpadding and padding; and the strip fills the gap.
 *
 *   rows < cols  rows x rows | strip, a row `cols` long: swap, together, strip behind
 *   rows > cols  cols x cols above the strip: swap, apart, strip beside */
#include <stdio.h>
#include <string.h>

#include "algorithm.h"

/* ---- rows that slide ---- */

extern const char dl_pack_cl[];
static const struct dl__kernel_source source = {{dl_shape_cl, dl_units_cl, dl_pack_cl}};

enum { CHUNK_BYTES = 8192 };

/* Adds the launches that slide rows of `width` elements together or apart, by flags at
 * `work_offset` in the workspace; if the cap has no room for them, one work-group does it
 * alone. */
static enum dl_status pack_add(struct dl_transpose_plan *plan, uint64_t rows,
                               uint64_t width, uint64_t from, uint64_t to,
                               uint64_t work_offset)
{
    const struct dl__task *task = &plan->task;
    uint64_t units = task->element_bytes / task->unit_bytes;
    uint64_t chunk = CHUNK_BYTES / task->unit_bytes;
    uint64_t chunks = dl__divide_up(rows * width * units, chunk), work = 4 * (chunks + 1);
    struct pack_shape shape = {.rows = rows,
                               .width = width * units,
                               .from = from * units,
                               .to = to * units,
                               .flags_bytes = work_offset,
                               .chunks = (uint32_t)chunks};
    size_t group = dl__group_items(plan->transpose, 0);
    bool alone = work_offset > task->cap_bytes || work > task->cap_bytes - work_offset;
    char knobs[DL__KNOBS_BYTES];
    enum dl_status st = DL_OK;

    if (chunks >= UINT32_MAX)
        return dl__fail(plan->error, DL_ENOTSUP,
                        "the rows are too long to be moved apart: 32 TiB or more");
    snprintf(knobs, sizeof knobs,
             "#define UNIT_BYTES %u\n#define CHUNK %uu\n#define GROUP %zuu\n"
             "#define NARROW %d\n",
             (unsigned)task->unit_bytes, (unsigned)chunk, group, shape.width < group);
    if (!alone) {
        uint64_t words = chunks + 1 < 1 << 16 ? chunks + 1 : 1 << 16;
        st = dl__launch_add(plan,
                            DL__LAUNCH_READING(&source, "dl_pack_clear", shape, group,
                                               dl__divide_up(words, group)),
                            "%s", knobs);
        if (work_offset + work > plan->info.workspace_bytes)
            plan->info.workspace_bytes = work_offset + work;
    }
    plan->info.passes++;
    return st != DL_OK
               ? st
               : dl__launch_add(plan,
                                DL__LAUNCH(&source, alone ? "dl_pack_alone" : "dl_pack",
                                           shape, group, alone ? 1 : chunks),
                                "%s", knobs);
}

static enum dl_status packed_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct dl__task dense = dl__task_of_one(task);
    char why[sizeof plan->why];
    enum dl_status st = DL_OK;

    dense.leading = task->cols;
    dense.leading_out = task->rows;
    if (task->leading != task->cols)
        st = pack_add(plan, task->rows, task->cols, task->leading, task->cols, 0);
    if (st == DL_OK)
        st = dl__part_add(plan, &dense, plan->info.algorithm);
    snprintf(why, sizeof why, "rows moved together or apart; %.300s", plan->why);
    memcpy(plan->why, why, sizeof why);
    if (st == DL_OK && task->leading_out != task->rows)
        st = pack_add(plan, task->cols, task->rows, task->rows, task->leading_out, 0);
    return st;
}

DL_TRANSPOSE_ROW(PACKED) = {20, NULL, packed_plan, .keeps_apart = true};

/* ---- rows that are only moved to another distance ---- */

static enum dl_status slide_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;

    if (!task->slides)
        return dl__decline(plan, "it is for arrays whose axes keep their order");
    snprintf(plan->why, sizeof plan->why, "rows moved from %llu to %llu elements apart",
             (unsigned long long)task->leading, (unsigned long long)task->leading_out);
    if (task->leading == task->leading_out || task->rows == 1)
        return DL_OK;
    return pack_add(plan, task->rows, task->cols, task->leading, task->leading_out, 0);
}

DL_TRANSPOSE_ROW(SLIDE) = {14, NULL, slide_plan};

/* ---- the algorithm ---- */

/* Flags of four bytes for each chunk of 8 KB, and a little. */
#define FLAGS_PART_OF(bytes) ((bytes) / 2048 + 16)

struct strip {
    bool is_wide; /* rows < cols */
    uint64_t side, extra, from_bytes, bytes;
};

static struct strip strip_of(const struct dl__task *task)
{
    struct strip strip = {.is_wide = task->rows < task->cols};

    strip.side = strip.is_wide ? task->rows : task->cols;
    strip.extra = strip.is_wide ? task->cols - task->rows : task->rows - task->cols;
    strip.from_bytes =
        (strip.is_wide ? strip.side : strip.side * strip.side) * task->element_bytes;
    strip.bytes = strip.side * strip.extra * task->element_bytes;
    return strip;
}

static enum dl_status strip_add(struct dl_transpose_plan *plan, struct strip strip)
{
    struct dl__task out = dl__task_of_one(&plan->task);

    out.is_out = true;
    out.rows = strip.is_wide ? strip.side : strip.extra;
    out.cols = strip.is_wide ? strip.extra : strip.side;
    out.leading_out = out.rows;
    out.matrix_bytes = strip.bytes;
    out.offset_bytes += strip.from_bytes;
    out.has_axes = false;
    return dl__part_add(plan, &out, DL_TRANSPOSE_AUTO);
}

/* The workspace holds the strip meanwhile. */
static enum dl_status square_add(struct dl_transpose_plan *plan, struct strip strip)
{
    struct dl__task square = dl__task_of_one(&plan->task);

    square.rows = square.cols = strip.side;
    square.leading = square.leading_out = plan->task.cols;
    square.cap_bytes = 0;
    square.has_axes = false;
    return dl__part_add(plan, &square, DL_TRANSPOSE_AUTO);
}

static enum dl_status padded_plan(struct dl_transpose_plan *plan)
{
    const struct dl__task *task = &plan->task;
    struct strip strip = strip_of(task);
    uint64_t flags = dl__round_up(strip.bytes, 4); /* behind it */
    struct dl__back back = {1, strip.bytes, 0,
                            strip.side * strip.side * task->element_bytes};
    enum dl_status st;

    if (strip.extra == 0 || strip.extra > strip.side)
        return dl__decline(plan, "%llu x %llu is a square, or far from one",
                           (unsigned long long)task->rows,
                           (unsigned long long)task->cols);
    if (strip.bytes > task->cap_bytes)
        return dl__decline_cap(plan, strip.bytes);
    if (!strip.is_wide)
        back = (struct dl__back){strip.side, strip.extra * task->element_bytes,
                                 task->rows * task->element_bytes,
                                 strip.side * task->element_bytes};
    st = strip_add(plan, strip);
    if (st == DL_OK)
        st = square_add(plan, strip);
    plan->info.workspace_bytes = strip.bytes;
    if (st == DL_OK)
        st = pack_add(plan, strip.side, strip.side,
                      strip.is_wide ? task->cols : strip.side,
                      strip.is_wide ? strip.side : task->rows, flags);
    if (st == DL_OK)
        st = dl__back_add(plan, back);
    plan->info.algorithm = DL_TRANSPOSE_SQUARE_PADDED;
    plan->info.passes = 2;
    snprintf(plan->why, sizeof plan->why,
             "a square of side %llu, and %llu rows or columns through the workspace",
             (unsigned long long)strip.side, (unsigned long long)strip.extra);
    return st;
}

static double padded_cost(const struct dl__task *task)
{
    const struct dl__tuning *tuning = &task->transpose->tuning;
    struct strip strip = strip_of(task);
    struct dl__tiling tiling;

    if (tuning->padded_apart <= 0 || strip.extra == 0 || strip.extra > strip.side ||
        strip.bytes + FLAGS_PART_OF(task->matrix_bytes) > task->cap_bytes ||
        !dl__tiling_choose(
            task, "swap", task->offset_bytes | task->cols * task->element_bytes, &tiling))
        return DL__NOT_FOR;
    return (tiling.costs.square_v1b +
            (strip.is_wide ? tuning->padded_together : tuning->padded_apart)) *
               (double)task->matrix_bytes +
           tuning->padded_strip * (double)strip.bytes + tuning->padded_launch_bytes;
}

DL_TRANSPOSE_ROW(SQUARE_PADDED) = {16, padded_cost, padded_plan};
