/* The one chooser: which algorithm carries out an elementary transposition. */
#include "algorithm.h"

static const struct dl__step_algorithm *const algorithms[] = {
#define X(row) &row,
    DL_STEP_ALGORITHM_MAP(X)
#undef X
};

uint64_t dl__steps_tile_bytes(const struct dl__steps *steps)
{
    uint64_t local = steps->engine->limits.local_bytes, most = steps->knobs.tile_bytes;

    return local < most ? local : most;
}

enum dl_status dl__steps_add(const struct dl__steps *steps, const struct dl_step *step,
                             struct dl__run_list *list)
{
    struct dl__shape shape = dl__shape_of_step(step);
    const struct dl__step_algorithm *best = NULL;
    double best_cost = 0;

    if (!dl__shape_is_slide(&shape)) {
        list->traffic_bytes += 2 * dl__shape_bytes(&shape) * step->instances;
        if (step->columns > UINT32_MAX / shape.split)
            return DL_ENOTSUP;
    }
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
    return best ? best->plan(steps, &shape, list) : DL_ENOTSUP;
}
