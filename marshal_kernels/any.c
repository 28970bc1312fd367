/* SPDX-License-Identifier: MIT */
/* 010! on tiles of any shape by one program, whose arguments the shape is. It takes the
 * place of kernels that are not built yet. */
#include "algorithm.h"

extern const char dl_step_cl[], dl_any_cl[];
static const struct dl__kernel_source source = {{dl_step_cl, dl_any_cl}};

enum { STARTS = 16, COLUMNS_MAX = STARTS * 64 - 1 };

/* As in any.cl. */
struct any_shape {
    uint64_t starts[STARTS];
    uint32_t columns, width, inverse, each;
};

enum { TABLE_BYTES = 4 /* of a column, in local memory */ };

/* Last of all that tiles can go by; but for a single one, such as the short last, no
 * CPU's compiler is asked for a program of its own. */
static double any_cost(const struct dl__steps *steps, const struct dl__shape *shape)
{
    bool is_single = shape->instances == 1 && shape->step->rest_rows == 0;

    if (!dl__shape_is_tile(steps, shape) || shape->columns > COLUMNS_MAX ||
        dl__shape_bytes(shape) + shape->columns * TABLE_BYTES >
            steps->engine->limits.local_bytes)
        return DL__CAN_NOT;
    if (steps->knobs.family == DL_FORCE_ANY)
        return 0;
    return is_single && steps->engine->limits.is_cpu ? 1.05 : 2;
}

static struct any_shape shape_make(const struct dl__shape *shape, uint32_t each)
{
    const struct dl_step *step = shape->step;
    struct any_shape made = {.columns = (uint32_t)shape->columns,
                             .width = step->leaf_columns ? 0 : (uint32_t)shape->split,
                             .inverse = step->inverse,
                             .each = each};
    uint64_t first = 0;

    for (uint32_t leaf = 0; step->leaf_columns && leaf <= step->leaf_count; leaf++) {
        made.starts[first / 64] |= UINT64_C(1) << first % 64;
        if (leaf < step->leaf_count)
            first += step->leaf_columns[leaf] * shape->split;
    }
    return made;
}

static const char *kernel_name(uint64_t element_bytes)
{
    return element_bytes == 1   ? "dl_any_1"
           : element_bytes == 2 ? "dl_any_2"
           : element_bytes == 4 ? "dl_any_4"
           : element_bytes == 8 ? "dl_any_8"
                                : "dl_any_16";
}

static enum dl_status kernel_get(const struct dl__steps *steps, const char *name,
                                 cl_kernel *out)
{
    return dl__engine_kernel(steps->engine, &source,
                             steps->engine->limits.is_cpu ? "#define ALONE 1\n" : "",
                             name, out, NULL);
}

enum dl_status dl__step_any_build(const struct dl__steps *steps)
{
    cl_kernel kernel;

    return kernel_get(steps, kernel_name(4), &kernel);
}

static enum dl_status any_plan(const struct dl__steps *steps,
                               const struct dl__shape *shape, struct dl__run_list *list)
{
    const char *name = kernel_name(shape->element_bytes);
    uint64_t elements = shape->rows * shape->columns, rest_rows = shape->step->rest_rows;
    uint64_t tiles = shape->instances + (rest_rows > 0);
    bool is_cpu = steps->engine->limits.is_cpu;
    unsigned each =
        is_cpu ? dl__steps_knobs(steps, "each", dl__shape_bytes(shape)).each_tiles : 1;
    const struct any_shape any = shape_make(shape, each);
    cl_kernel kernel;
    enum dl_status st = kernel_get(steps, name, &kernel);

    if (st != DL_OK)
        return st;
    struct dl__run run = dl__step_run(name, kernel, shape->base_bytes, shape->rows);
    dl__run_add_ulong(&run, shape->instances);
    dl__run_add_ulong(&run, rest_rows);
    dl__run_add_value(&run, &any, sizeof any);
    dl__run_add_local(&run, shape->columns * TABLE_BYTES);
    dl__run_add_local(&run, elements * shape->element_bytes);
    run.local[0] =
        is_cpu ? 1 : dl__engine_group_items(steps->engine, kernel, 256, elements);
    run.global[0] = (size_t)dl__divide_up(tiles, each) * run.local[0];
    return dl__run_list_add(list, &run, 0);
}

const struct dl__step_algorithm dl__step_any = {any_cost, true, any_plan,
                                                .stands_in = true};
