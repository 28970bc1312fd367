/* SPDX-License-Identifier: MIT */
/* Out of place: tiles whose parts of the target's rows are whole lines of memory
 * (out_lines.cl). */
#include "transpose/internal.h"

#include <float.h>
#include <stdio.h>

extern const char dl_out_lines_cl[], dl_columns_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_columns_cl, dl_out_lines_cl}};

static unsigned chosen(unsigned asked, unsigned known)
{
    return asked ? asked : known;
}

/* The numbers of the device's file for one size of elements, but for those that somebody
 * has asked for. */
static bool lines_read(const struct dl_transpose *transpose, const struct dl__task *task,
                       struct dl__columns *out, double *cost)
{
    const struct dl__tuning *asked = &transpose->tuning;
    uint64_t e = task->element_bytes,
             aligned = task->offset_bytes | task->offset_out_bytes;
    struct dl__tuning known = {0};

    if (task->batch > 1)
        aligned |= task->stride_bytes | task->stride_out_bytes;
    if (e > 16 || (e & (e - 1)) != 0 || aligned % e != 0)
        return false;
    dl__numbers_read(transpose->engine.file, "lines", e, &dl__tuning_table, &known);
    *out = (struct dl__columns){.cols = chosen(asked->lines_cols, known.lines_cols),
                                .rows = chosen(asked->lines_rows, known.lines_rows),
                                .more = chosen(asked->lines_bytes, known.lines_bytes) /
                                        (unsigned)e,
                                .run = chosen(asked->lines_run, known.lines_run),
                                .group = chosen(asked->lines_group, known.lines_group),
                                .held = chosen(asked->lines_held, known.lines_held),
                                .hint = chosen(asked->lines_hint, known.lines_hint),
                                .width = chosen(asked->lines_width, known.lines_width)};
    *cost = known.out_lines;
    if (out->cols == 0 || out->rows == 0 || out->run == 0 || out->group == 0 ||
        out->width == 0)
        return false;
    out->more = out->more > 0 ? out->more - 1 : 0;
    /* Words are written where the lines' parts begin. */
    while (out->run > 1 && out->run * (e < 4 ? 4 : e) > (out->more + 1) * e)
        out->run /= 2;
    if ((out->more + 1) * e < 4)
        return false;
    out->group = (unsigned)dl__group_items(transpose, out->group);
    return out->rows % (out->more + 1) == 0 && dl__columns_fit(transpose, out, e, 0);
}

double dl__out_lines_cost(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    struct dl__columns tile;
    double cost, waste;

    if (!lines_read(transpose, task, &tile, &cost) || cost <= 0)
        return DBL_MAX;
    waste = (double)dl__round_up(task->rows + tile.more, tile.rows) / (double)task->rows *
            ((double)dl__round_up(task->cols, tile.cols) / (double)task->cols);
    return cost * waste * (double)task->matrix_bytes;
}

enum dl_status dl__out_lines_add(struct dl_transpose_plan *plan,
                                 const struct dl__task *task,
                                 struct dl_transpose_error *error)
{
    struct dl_transpose *transpose = plan->transpose;
    struct dl__columns tile;
    double cost;
    char knobs[400];
    cl_kernel kernel;
    enum dl_status st;
    int used;

    if (!lines_read(transpose, task, &tile, &cost))
        return dl__fail(error, DL_ENOTSUP, "out-lines: elements of %llu bytes",
                        (unsigned long long)task->element_bytes);
    used = dl__columns_knobs(&tile, task->element_bytes, task->conjugate, knobs,
                             sizeof knobs);
    snprintf(knobs + used, sizeof knobs - (size_t)used, "#define ALIGN %uu\n",
             tile.more + 1);
    st = dl__kernel_get(transpose, &source, knobs, "dl_out_lines", &kernel, error);
    if (st != DL_OK)
        return st;
    snprintf(plan->why, sizeof plan->why,
             "tiles of %u x %u out of place, each %u elements of a line of the target",
             tile.rows, tile.cols, tile.more + 1);
    return dl__out_launch_add(
        plan, task, "dl_out_lines", kernel,
        (struct out_shape){.width = tile.width, .order = TILES_BANDS},
        (struct dl__out_tile){tile.rows, tile.cols, tile.more, tile.group}, error);
}

static bool lines_applies(const struct dl_transpose *transpose,
                          const struct dl__task *task)
{
    struct dl__columns tile;
    double cost;

    return lines_read(transpose, task, &tile, &cost) && cost > 0;
}

static enum dl_status lines_plan(struct dl_transpose_plan *plan,
                                 struct dl_transpose_error *error)
{
    return dl__out_lines_add(plan, &plan->task, error);
}

DL_TRANSPOSE_ROW(OUT_LINES) = {3,          lines_applies,  dl__out_lines_cost,
                               lines_plan, .is_out = true, .keeps_apart = true};
