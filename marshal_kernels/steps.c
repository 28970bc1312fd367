/* SPDX-License-Identifier: MIT */
/* The one chooser: which algorithm carries out an elementary transposition. */
#include "algorithm.h"

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

/* By the program for any shape, until the best is built. What has been appended for that
 * goes. */
static enum dl_status stand_in(const struct dl__steps *steps,
                               const struct dl__shape *shape, struct dl__run_list *list,
                               size_t runs)
{
    if (!steps->stood_in || shape->element_bytes < steps->knobs.any_element_min ||
        !dl__step_any.applies(steps, shape))
        return DL_ECL;
    list->count = runs;
    *steps->stood_in = true;
    return dl__step_any.plan(steps, shape, list);
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
    struct dl__shape shape = dl__shape_of_step(step);
    const struct dl__step_algorithm *best = NULL;
    double best_cost = 0;
    enum dl_status st;
    size_t runs;

    if (!dl__shape_is_slide(&shape) && step->columns > UINT32_MAX / shape.split)
        return DL_ENOTSUP;
    for (size_t a = 0; a < sizeof algorithms / sizeof *algorithms; a++) {
        double cost;
        if (!algorithms[a]->applies(steps, &shape))
            continue;
        cost = algorithms[a]->cost(steps, &shape);
        if (!best || cost < best_cost) {
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
