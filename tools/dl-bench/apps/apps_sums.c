/* SPDX-License-Identifier: MIT */
/* Medians, and what follows from them. */
#include "apps.h"

#include <stdlib.h>
#include <string.h>

#include "../bench.h" /* median_of */

/* What `auto` promises: so much of native, and so many milliseconds. */
static const struct bound {
    double share, ms;
} bounds[APPS_STATES] = {
    [APPS_COLD] = {0.05, 50}, [APPS_WARM] = {0.05, 50}, [APPS_REMEMBERED] = {0.02, 10}};

enum apps_state apps_state_of(enum apps_layout layout, enum apps_state state)
{
    return state == APPS_REMEMBERED && layout != APPS_AUTO ? APPS_WARM : state;
}

static const struct apps_cell *cell_of(const struct apps_cells *cells,
                                       enum apps_layout layout, enum apps_state state)
{
    return &cells->cell[layout][apps_state_of(layout, state)];
}

/* ---- medians ---- */

static double *array_of(struct apps_times *times, int which)
{
    return which == 0 ? times->busy_ms : which == 1 ? times->kernel_ms : times->wall_ms;
}

/* Microseconds of a step in the second half of a run. */
static double steady_us(const double *sums_ms, size_t steps)
{
    size_t half = steps / 2;

    if (steps < 4)
        return 0;
    return 1e3 * (sums_ms[steps - 1] - sums_ms[half - 1]) / (double)(steps - half);
}

static double steady_median(struct apps_cell *cell, int which)
{
    double values[APPS_REPS_MAX];

    for (size_t r = 0; r < cell->count; r++)
        values[r] = steady_us(array_of(&cell->runs[r], which), cell->runs[r].steps);
    return median_of(values, cell->count);
}

static double whole_ms(const struct apps_times *times)
{
    return times->start_ms + times->wall_ms[times->steps - 1] + times->end_ms;
}

static void ends_sum(struct apps_cell *cell)
{
    double starts[APPS_REPS_MAX], ends[APPS_REPS_MAX], wholes[APPS_REPS_MAX];

    for (size_t r = 0; r < cell->count; r++) {
        starts[r] = cell->runs[r].start_ms;
        ends[r] = cell->runs[r].end_ms;
        wholes[r] = whole_ms(&cell->runs[r]);
    }
    cell->median.start_ms = median_of(starts, cell->count);
    cell->median.end_ms = median_of(ends, cell->count);
    numbers_sort(wholes, cell->count);
    cell->spread_ms = wholes[cell->count - 1] - wholes[0];
}

static bool cell_sum(struct apps_cell *cell)
{
    struct apps_times *median = &cell->median;
    double values[APPS_REPS_MAX];

    median->steps = cell->runs[0].steps;
    for (size_t r = 1; r < cell->count; r++)
        if (cell->runs[r].steps < median->steps)
            median->steps = cell->runs[r].steps;
    median->busy_ms = calloc(median->steps, sizeof *median->busy_ms);
    median->kernel_ms = calloc(median->steps, sizeof *median->kernel_ms);
    median->wall_ms = calloc(median->steps, sizeof *median->wall_ms);
    if (!median->busy_ms || !median->kernel_ms || !median->wall_ms) {
        fprintf(stderr, "dl-bench apps: out of memory\n");
        return false;
    }
    for (int which = 0; which < 3; which++)
        for (size_t s = 0; s < median->steps; s++) {
            for (size_t r = 0; r < cell->count; r++)
                values[r] = array_of(&cell->runs[r], which)[s];
            array_of(median, which)[s] = median_of(values, cell->count);
        }
    ends_sum(cell);
    cell->steady_busy_us = steady_median(cell, 0);
    cell->steady_kernel_us = steady_median(cell, 1);
    cell->steady_wall_us = steady_median(cell, 2);
    return true;
}

bool apps_cells_sum(struct apps_cells *cells)
{
    const struct apps_cell *native = NULL;

    cells->same = true;
    for (int l = 0; l < APPS_LAYOUTS; l++)
        for (int s = 0; s < APPS_STATES; s++) {
            struct apps_cell *cell = &cells->cell[l][s];
            if (cell->count == 0)
                continue;
            if (!cell_sum(cell))
                return false;
            native = native ? native : cell; /* the first is native */
            for (size_t r = 0; r < cell->count; r++)
                cells->same =
                    cells->same && cell->runs[r].checksum == native->runs[0].checksum;
        }
    return native != NULL;
}

void apps_cells_free(struct apps_cells *cells)
{
    for (int l = 0; l < APPS_LAYOUTS; l++)
        for (int s = 0; s < APPS_STATES; s++) {
            struct apps_cell *cell = &cells->cell[l][s];
            for (size_t r = 0; r < cell->count; r++)
                apps_times_free(&cell->runs[r]);
            apps_times_free(&cell->median);
        }
    *cells = (struct apps_cells){0};
}

/* ---- beside native ---- */

/* What a run of `step + 1` steps takes. */
static double length_ms(const struct apps_cell *cell, size_t step, bool device)
{
    const struct apps_times *at = &cell->median;

    return device ? at->busy_ms[step] : at->start_ms + at->wall_ms[step] + at->end_ms;
}

static size_t common_steps(const struct apps_cell *one, const struct apps_cell *other)
{
    size_t a = one->count ? one->median.steps : 0,
           b = other->count ? other->median.steps : 0;

    return a < b ? a : b;
}

struct apps_excess apps_excess_of(const struct apps_cells *cells, enum apps_layout layout,
                                  enum apps_state state, bool device)
{
    const struct apps_cell *native = cell_of(cells, APPS_NATIVE, state);
    const struct apps_cell *cell = cell_of(cells, layout, state);
    const struct bound *bound = &bounds[state];
    struct apps_excess out = {.within = true};
    double worst_ms = 0;

    for (size_t s = 0; s < common_steps(native, cell); s++) {
        double native_ms = length_ms(native, s, device);
        double over_ms = length_ms(cell, s, device) - native_ms;
        double beyond_ms = over_ms - bound->share * native_ms;
        if (s > 0 && beyond_ms <= worst_ms)
            continue;
        worst_ms = beyond_ms;
        out = (struct apps_excess){over_ms, 100 * over_ms / native_ms, s + 1,
                                   beyond_ms <= bound->ms};
    }
    return out;
}

size_t apps_break_even(const struct apps_cells *cells, enum apps_layout layout,
                       enum apps_state state, bool device)
{
    const struct apps_cell *native = cell_of(cells, APPS_NATIVE, state);
    const struct apps_cell *cell = cell_of(cells, layout, state);
    size_t steps = common_steps(native, cell), from = 0;

    for (size_t s = steps; s-- > 0;) {
        if (length_ms(cell, s, device) > length_ms(native, s, device))
            break;
        from = s + 1;
    }
    return from;
}

double apps_best_us(const struct apps_cells *cells)
{
    static const enum apps_layout layouts[] = {APPS_NATIVE, APPS_ASTA, APPS_DA};
    double best = 0;

    for (int l = 0; l < 3; l++) {
        const struct apps_cell *cell = cell_of(cells, layouts[l], APPS_WARM);
        if (cell->count == 0)
            cell = cell_of(cells, layouts[l], APPS_COLD);
        if (cell->steady_busy_us > 0 && (best == 0 || cell->steady_busy_us < best))
            best = cell->steady_busy_us;
    }
    return best;
}
