/* SPDX-License-Identifier: MIT */
/* lbm2d: the thesis's running example of a grid of structs (Sung 2013, listing 6.1), on
 * an OpenCL device. */
#include "common/grid.h"

extern const char lbm2d_kernel_text[]; /* lbm2d.cl */

enum { NORTH, EAST, WEST, SOUTH, CELL_FLOATS };

static size_t at(const int *size, int y, int x, int field)
{
    return ((size_t)y * (size_t)size[0] + (size_t)x) * CELL_FLOATS + (size_t)field;
}

static void fill(const int *size, float *first, float *second)
{
    for (size_t i = 0; i < at(size, size[1], 0, 0); i++)
        first[i] = second[i] = sample_noise(i);
}

static void launch(const int *size, float *a0, float *anext, int number)
{
    (void)number;
    for (int j = 1; j < size[1] - 1; j++)
        for (int i = 1; i < size[0] - 1; i++) {
            float x_velo = 0.5f * (a0[at(size, j, i, EAST)] - a0[at(size, j, i, WEST)]);
            float y_velo = 0.5f * (a0[at(size, j, i, NORTH)] - a0[at(size, j, i, SOUTH)]);

            anext[at(size, j, i - 1, EAST)] = x_velo;
            anext[at(size, j, i + 1, WEST)] = -x_velo;
            anext[at(size, j - 1, i, NORTH)] = y_velo;
            anext[at(size, j + 1, i, SOUTH)] = -y_velo;
        }
}

int main(int argc, char **argv)
{
    const struct sample_grid grid = {
        .summary = "Lattice-Boltzmann in two dimensions, the simplest there is.",
        .kernel_text = lbm2d_kernel_text,
        .kernel_name = "lbm2d_step",
        .dims = 2,
        .size = {512, 512, 1},
        .cell_floats = CELL_FLOATS,
        .swaps = true,
        .launches = 1,
        .fill = fill,
        .launch = launch,
    };

    return sample_grid_main(argc, argv, &grid);
}
