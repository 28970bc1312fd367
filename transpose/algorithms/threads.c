/* SPDX-License-Identifier: MIT */
/* Square matrices: a pair of elements for each work-item (threads.cl). */
#include "transpose/internal.h"

#include <stdio.h>

extern const char dl_threads_cl[];
static const struct dl__kernel_source source = {
    {dl_shape_cl, dl_units_cl, dl_threads_cl}};

enum { SIDE_MAX = 90000 /* its pairs have numbers of 32 bits */ };

static enum dl_status threads_plan(struct dl_transpose_plan *plan,
                                   struct dl_transpose_error *error)
{
    const struct dl__task *task = &plan->task;
    struct square_shape shape = {task->rows, task->leading};
    size_t group = dl__group_items(plan->transpose, plan->transpose->tuning.group);
    char knobs[80];
    cl_kernel kernel;
    struct dl__run *run;
    enum dl_status st;

    if (task->rows != task->cols || task->leading != task->leading_out ||
        task->rows > SIDE_MAX)
        return dl__fail(error, DL_ENOTSUP,
                        "square-threads: %llu x %llu, or leading distances differ",
                        (unsigned long long)task->rows, (unsigned long long)task->cols);
    snprintf(knobs, sizeof knobs, "#define UNIT_BYTES %u\n#define UNITS %uu\n",
             (unsigned)task->unit_bytes,
             (unsigned)(task->element_bytes / task->unit_bytes));
    st = dl__kernel_get(plan->transpose, &source, knobs, "dl_threads", &kernel, error);
    if (st != DL_OK)
        return st;
    run = dl__run_add(plan, "dl_threads", kernel, &shape, sizeof shape);
    run->local[0] = group;
    run->global[0] = dl__round_up(task->rows * (task->rows - 1) / 2 + 1, group);
    plan->info.passes = 1;
    snprintf(plan->why, sizeof plan->why, "a pair of elements for each work-item");
    return DL_OK;
}

DL_TRANSPOSE_ROW(SQUARE_THREADS) = {14, dl__applies_named, dl__cost_nothing, threads_plan,
                                    .keeps_apart = true};
