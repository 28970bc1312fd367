/* SPDX-License-Identifier: MIT */
/* A scalar lattice-Boltzmann step, one direction after the other, from a table of
 * directions: deliberately another shape than the kernel's, so that a slip in one
 * shows. */
#include "reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample.h"

/* In the order of the kernel's struct. */
static const signed char direction[LBM_DIRECTIONS][3] = {
    {0, 0, 0},   {0, 1, 0},  {0, -1, 0}, {1, 0, 0},   {-1, 0, 0},  {0, 0, 1},  {0, 0, -1},
    {1, 1, 0},   {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}, {0, 1, 1},   {0, 1, -1}, {0, -1, 1},
    {0, -1, -1}, {1, 0, 1},  {1, 0, -1}, {-1, 0, 1},  {-1, 0, -1},
};

/* Rounded to float as in the kernel: the weights' sum would else drift apart step by
 * step. */
static double weight(int q)
{
    static const double by_length[] = {1.0f / 3, 1.0f / 18, 1.0f / 36};
    return by_length[abs(direction[q][0]) + abs(direction[q][1]) + abs(direction[q][2])];
}

static int opposite(int q)
{
    int r = 0;
    while (direction[r][0] != -direction[q][0] || direction[r][1] != -direction[q][1] ||
           direction[r][2] != -direction[q][2])
        r++;
    return r;
}

size_t lbm_grid_cells(const struct lbm_grid *grid)
{
    return (size_t)grid->size[0] * (size_t)grid->size[1] * (size_t)grid->size[2];
}

static size_t cell_index(const struct lbm_grid *grid, const int at[3])
{
    return (size_t)at[0] + (size_t)grid->size[0] *
                               ((size_t)at[1] + (size_t)grid->size[1] * (size_t)at[2]);
}

/* ---- the first state ---- */

static int cell_flags(const struct lbm_grid *grid, const int at[3])
{
    double distance2 = 0, shortest = grid->size[0];
    for (int d = 0; d < 3; d++) {
        double from_middle = at[d] - 0.5 * (grid->size[d] - 1);
        if (at[d] == 0 || at[d] == grid->size[d] - 1)
            return LBM_SOLID;
        distance2 += from_middle * from_middle;
        if (grid->size[d] < shortest)
            shortest = grid->size[d];
    }
    if (distance2 < shortest * shortest / 64)
        return LBM_SOLID;
    return at[2] == grid->size[2] - 2 ? LBM_LID : LBM_FLUID;
}

void lbm_grid_fill_plane(const struct lbm_grid *grid, int z, float *cells)
{
    size_t before = (size_t)grid->size[0] * (size_t)grid->size[1] * (size_t)z;
    int at[3] = {0, 0, z};
    for (at[1] = 0; at[1] < grid->size[1]; at[1]++)
        for (at[0] = 0; at[0] < grid->size[0]; at[0]++) {
            size_t first = cell_index(grid, at) * LBM_CELL_FLOATS;
            float *cell = cells + first - before * LBM_CELL_FLOATS;
            for (int q = 0; q < LBM_DIRECTIONS; q++)
                cell[q] =
                    (float)weight(q) * (1 + 0.02f * sample_noise(first + (size_t)q));
            cell[LBM_FLAGS] = (float)cell_flags(grid, at);
        }
}

void lbm_grid_fill(const struct lbm_grid *grid, float *cells)
{
    size_t plane = (size_t)grid->size[0] * (size_t)grid->size[1] * LBM_CELL_FLOATS;
    for (int z = 0; z < grid->size[2]; z++)
        lbm_grid_fill_plane(grid, z, cells + plane * (size_t)z);
}

/* ---- the reference ---- */

static void relax_cell(const struct lbm_grid *grid, bool lid, double f[LBM_DIRECTIONS])
{
    double rho = 0, velocity[3] = {0, 0, 0}, speed2;
    for (int q = 0; q < LBM_DIRECTIONS; q++) {
        rho += f[q];
        for (int d = 0; d < 3; d++)
            velocity[d] += direction[q][d] * f[q];
    }
    for (int d = 0; d < 3; d++)
        velocity[d] = lid ? (d == 0 ? (double)grid->lid : 0) : velocity[d] / rho;
    speed2 =
        velocity[0] * velocity[0] + velocity[1] * velocity[1] + velocity[2] * velocity[2];
    for (int q = 0; q < LBM_DIRECTIONS; q++) {
        double v = direction[q][0] * velocity[0] + direction[q][1] * velocity[1] +
                   direction[q][2] * velocity[2];
        double rest = weight(q) * rho * (1 + 3 * v + 4.5 * v * v - 1.5 * speed2);
        f[q] += (double)grid->omega * (rest - f[q]);
    }
}

static void step_cell(const struct lbm_grid *grid, const double *from, double *to,
                      const int at[3])
{
    size_t here = cell_index(grid, at) * LBM_CELL_FLOATS;
    double flags = from[here + LBM_FLAGS], f[LBM_DIRECTIONS];
    for (int q = 0; q < LBM_DIRECTIONS; q++) {
        int neighbour[3];
        for (int d = 0; d < 3; d++)
            neighbour[d] = (at[d] - direction[q][d] + grid->size[d]) % grid->size[d];
        f[q] = from[cell_index(grid, neighbour) * LBM_CELL_FLOATS + (size_t)q];
    }
    if (flags != LBM_SOLID)
        relax_cell(grid, flags == LBM_LID, f);
    for (int q = 0; q < LBM_DIRECTIONS; q++)
        to[here + (size_t)q] = f[flags == LBM_SOLID ? opposite(q) : q];
    to[here + LBM_FLAGS] = flags;
}

static void step_grid(const struct lbm_grid *grid, const double *from, double *to)
{
    int at[3];
    for (at[2] = 0; at[2] < grid->size[2]; at[2]++)
        for (at[1] = 0; at[1] < grid->size[1]; at[1]++)
            for (at[0] = 0; at[0] < grid->size[0]; at[0]++)
                step_cell(grid, from, to, at);
}

bool lbm_reference_check(const struct lbm_grid *grid, int step_count, const float *cells,
                         double *error_max)
{
    bool good = false;
    size_t count = lbm_grid_cells(grid) * LBM_CELL_FLOATS, worst = 0;
    double *from = malloc(count * sizeof *from), *to = malloc(count * sizeof *to);
    float *first = malloc(count * sizeof *first);
    if (!from || !to || !first) {
        fputs("check: out of memory for the reference\n", stderr);
        goto out;
    }
    lbm_grid_fill(grid, first);
    for (size_t i = 0; i < count; i++)
        from[i] = first[i];
    for (int step = 0; step < step_count; step++) {
        double *swap = from;
        step_grid(grid, from, to);
        from = to;
        to = swap;
    }
    *error_max = 0;
    for (size_t i = 0; i < count; i++) {
        double error = sample_relative_error(cells[i], from[i]);
        if (error > *error_max) {
            *error_max = error;
            worst = i;
        }
    }
    good = *error_max <= SAMPLE_ERROR_MAX;
    if (!good)
        fprintf(stderr, "check: value %zu of cell %zu is %.9g and should be %.9g\n",
                worst % LBM_CELL_FLOATS, worst / LBM_CELL_FLOATS, (double)cells[worst],
                from[worst]);
out:
    free(from);
    free(to);
    free(first);
    return good;
}
