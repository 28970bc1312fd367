/* SPDX-License-Identifier: MIT */
/* Elementary transpositions in a kernel's terms: their shapes, their knobs as text and
 * the beginning of their runs; and the one chooser of the algorithm that carries one out.
 */
#include "algorithm.h"

#include <stdlib.h>

enum { COLUMNS_MAX = 7680 /* of a table of leaves in 60 KB of constant memory */ };

/* ---- the shape ---- */

static struct dl__shape shape_of_step(const struct dl_step *step)
{
    /* Both must be whole elements: what is moved, and where it begins. */
    uint64_t bytes = dl__power_of_two_in(step->element_bytes | step->base_bytes, 16);
    uint64_t split = step->element_bytes / bytes;

    return (struct dl__shape){step->base_bytes,
                              step->instances,
                              step->rows,
                              step->columns * split,
                              bytes,
                              split,
                              step};
}

uint64_t dl__shape_bytes(const struct dl__shape *shape)
{
    return shape->step->rows * shape->step->columns * shape->step->element_bytes;
}

uint64_t dl__shape_total_bytes(const struct dl__shape *shape)
{
    const struct dl_step *step = shape->step;

    return (step->instances * step->rows + step->rest_rows) * step->columns *
           step->element_bytes;
}

bool dl__shape_is_slide(const struct dl__shape *shape)
{
    return shape->step->tail_rows > 0;
}

bool dl__shape_columns_fit(const struct dl__shape *shape, uint64_t split)
{
    return !shape->step->leaf_columns || shape->step->columns * split <= COLUMNS_MAX;
}

bool dl__shape_is_tile(const struct dl__steps *steps, const struct dl__shape *shape)
{
    return !dl__shape_is_slide(shape) && dl__shape_columns_fit(shape, shape->split) &&
           dl__shape_bytes(shape) <= dl__steps_tile_bytes(steps);
}

bool dl__shape_is_super(const struct dl__steps *steps, const struct dl__shape *shape)
{
    return shape->step->element_bytes >= steps->knobs.super_bytes_min;
}

/* ---- knobs as text ---- */

/* Fewer than 64 columns: a bit for each that begins a leaf, and one past the last. */
static void add_starts(struct dl__text *text, const struct dl_step *step, uint64_t split)
{
    uint64_t starts = 0, first = 0;

    for (uint32_t leaf = 0; leaf < step->leaf_count; leaf++) {
        starts |= UINT64_C(1) << first;
        first += step->leaf_columns[leaf] * split;
    }
    starts |= UINT64_C(1) << first;
    if (first < 32)
        dl__text_add(text, "#define LEAF_STARTS 0x%llxu\n", (unsigned long long)starts);
    else
        dl__text_add(text, "#define LEAF_STARTS 0x%llxUL\n#define LEAF_STARTS_64\n",
                     (unsigned long long)starts);
}

static void add_table(struct dl__text *text, const struct dl_step *step, uint64_t split)
{
    dl__text_add(text, "#define LEAF_TABLE\n");
    for (int width = 0; width < 2; width++) {
        uint64_t first = 0;
        dl__text_add(text, "__constant uint leaf_%s[] = {", width ? "width" : "first");
        for (uint32_t leaf = 0; leaf < step->leaf_count; leaf++) {
            uint64_t w = step->leaf_columns[leaf] * split;
            for (uint64_t c = 0; c < w; c++)
                dl__text_add(text, "%llu,", (unsigned long long)(width ? w : first));
            first += w;
        }
        dl__text_add(text, "};\n");
    }
}

void dl__knobs_add_step(struct dl__text *text, const struct dl__shape *shape,
                        uint64_t split, uint64_t elements)
{
    const struct dl_step *step = shape->step;
    uint64_t columns = step->columns * split;

    dl__text_add(
        text, "#define COLUMNS %lluu\n#define ELEMENT_BYTES %u\n#define INVERSE %d\n",
        (unsigned long long)columns, (unsigned)shape->element_bytes, step->inverse);
    if (elements >= UINT32_MAX)
        dl__text_add(text, "#define INDEX_64\n");
    if (!step->leaf_columns)
        dl__text_add(text, "#define LEAF_COLUMNS %lluu\n", (unsigned long long)split);
    else if (columns < 64)
        add_starts(text, step, split);
    else
        add_table(text, step, split);
}

enum dl_status dl__step_kernel(const struct dl__steps *steps,
                               const struct dl__kernel_source *source,
                               struct dl__text *knobs, const char *name, cl_kernel *out)
{
    return dl__step_kernels(steps, source, knobs, name, out, NULL, NULL);
}

enum dl_status dl__step_kernels(const struct dl__steps *steps,
                                const struct dl__kernel_source *source,
                                struct dl__text *knobs, const char *name, cl_kernel *out,
                                const char *second_name, cl_kernel *second)
{
    enum dl_status st = DL_ENOMEM;

    if (!knobs->failed)
        st = dl__engine_kernel(steps->engine, source, knobs->bytes, name, out, NULL);
    if (st == DL_OK && second)
        st = dl__engine_kernel(steps->engine, source, knobs->bytes, second_name, second,
                               NULL);
    free(knobs->bytes);
    return st;
}

/* ---- runs ---- */

struct dl__run dl__step_run(const char *name, cl_kernel kernel, uint64_t base_bytes,
                            uint64_t rows)
{
    struct dl__run run = {.name = name, .kernel = kernel, .dims = 2};

    run.global[1] = run.local[1] = 1;
    dl__run_add_buffer(&run);
    dl__run_add_base(&run, base_bytes);
    dl__run_add_ulong(&run, rows);
    return run;
}

struct dl__run dl__clear_run(const struct dl__steps *steps, const char *name,
                             cl_kernel kernel, uint64_t words)
{
    struct dl__run run = {.name = name, .kernel = kernel, .dims = 2, .reads_only = true};

    run.global[1] = run.local[1] = 1;
    dl__run_add_workspace(&run);
    dl__run_add_ulong(&run, words);
    run.local[0] = dl__engine_group_items(steps->engine, kernel, 256, words);
    run.global[0] = (size_t)steps->engine->limits.compute_units * 8 * run.local[0];
    return run;
}

/* ---- the chooser ---- */

static const struct dl__step_algorithm *const algorithms[] = {
#define X(row) &row,
    DL_STEP_ALGORITHM_MAP(X)
#undef X
};

enum { KEPT_BYTES = 64 };

uint64_t dl__steps_tile_bytes(const struct dl__steps *steps)
{
    uint64_t local = steps->engine->limits.local_bytes, most = steps->knobs.tile_bytes;

    /* NVIDIA's driver takes a kernel that asks for all of it, and refuses the launch. */
    local -= local > KEPT_BYTES ? KEPT_BYTES : local;
    return local < most ? local : most;
}

bool dl__steps_tile_fits(const struct dl__steps *steps, uint64_t bytes)
{
    uint64_t most = dl__steps_tile_bytes(steps);

    /* Padding against bank conflicts takes 1/32. */
    return bytes <= most && bytes + bytes / 32 + 16 <= most;
}

/* By the row that stands in for others, until the best is built. What has been appended
 * for that goes. */
static enum dl_status stand_in(const struct dl__steps *steps,
                               const struct dl__shape *shape, struct dl__run_list *list,
                               size_t runs)
{
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        if (!algorithms[a]->stands_in || !steps->stood_in ||
            shape->element_bytes < steps->knobs.any_element_min ||
            algorithms[a]->cost(steps, shape) == DL__CAN_NOT)
            continue;
        list->count = runs;
        *steps->stood_in = true;
        return algorithms[a]->plan(steps, shape, list);
    }
    return DL_ECL;
}

/* The instances, and then the short one. */
static enum dl_status add_in_two(const struct dl__steps *steps,
                                 const struct dl_step *step, struct dl__run_list *list)
{
    struct dl_step whole = *step, rest = *step;
    enum dl_status st;

    whole.rest_rows = rest.rest_rows = 0;
    rest.base_bytes += step->instances * step->rows * step->columns * step->element_bytes;
    rest.instances = 1;
    rest.rows = step->rest_rows;
    st = dl__steps_add(steps, &whole, list);
    return st == DL_OK ? dl__steps_add(steps, &rest, list) : st;
}

enum dl_status dl__steps_add(const struct dl__steps *steps, const struct dl_step *step,
                             struct dl__run_list *list)
{
    struct dl__shape shape = shape_of_step(step);
    const struct dl__step_algorithm *best = NULL;
    double best_cost = DL__CAN_NOT;
    enum dl_status st;
    size_t runs;

    if (!dl__shape_is_slide(&shape) && step->columns > UINT32_MAX / shape.split)
        return DL_ENOTSUP;
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        double cost = algorithms[a]->cost(steps, &shape);
        if (cost < best_cost) {
            best = algorithms[a];
            best_cost = cost;
        }
    }
    if (!best)
        return DL_ENOTSUP;
    if (step->rest_rows > 0 && !best->takes_rest)
        return add_in_two(steps, step, list);
    if (!dl__shape_is_slide(&shape))
        list->traffic_bytes += 2 * dl__shape_total_bytes(&shape);
    runs = list->count;
    st = best->plan(steps, &shape, list);
    return st == DL_ECL ? stand_in(steps, &shape, list, runs) : st;
}
