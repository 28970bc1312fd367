/* SPDX-License-Identifier: MIT */
/* heat: heat that spreads in a box whose walls keep their temperature, on an OpenCL
 * device. */
#include <math.h>

#include "common/grid.h"

extern const char heat_kernel_text[]; /* heat.cl */

static size_t at(const int *size, int x, int y, int z)
{
    return ((size_t)z * (size_t)size[1] + (size_t)y) * (size_t)size[0] + (size_t)x;
}

static void fill(const int *size, float *first, float *second)
{
    for (size_t i = 0; i < at(size, 0, 0, size[2]); i++)
        first[i] = second[i] = 100.0f * sample_noise(i);
}

static void launch(const int *size, float *now, float *next, int number)
{
    (void)number;
    for (int z = 1; z < size[2] - 1; z++)
        for (int y = 1; y < size[1] - 1; y++)
            for (int x = 1; x < size[0] - 1; x++) {
                float here = now[at(size, x, y, z)];
                float around = now[at(size, x - 1, y, z)] + now[at(size, x + 1, y, z)] +
                               now[at(size, x, y - 1, z)] + now[at(size, x, y + 1, z)] +
                               now[at(size, x, y, z - 1)] + now[at(size, x, y, z + 1)];

                next[at(size, x, y, z)] = fmaf(0.125f, fmaf(-6.0f, here, around), here);
            }
}

int main(int argc, char **argv)
{
    const struct sample_grid grid = {
        .summary = "Heat that spreads in a box: Jacobi's method on seven points.",
        .kernel_text = heat_kernel_text,
        .kernel_name = "heat_step",
        .dims = 3,
        .size = {64, 64, 64},
        .cell_floats = 1,
        .swaps = true,
        .launches = 1,
        .fill = fill,
        .launch = launch,
    };

    return sample_grid_main(argc, argv, &grid);
}
