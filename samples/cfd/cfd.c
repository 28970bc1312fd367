/* SPDX-License-Identifier: MIT */
/* cfd: the pressure solver of a fluid in three dimensions, red-black Gauss-Seidel, on an
 * OpenCL device. */
#include "common/grid.h"

extern const char cfd_kernel_text[]; /* cfd.cl */

static size_t at(const int *size, int x, int y, int z)
{
    return ((size_t)z * (size_t)size[1] + (size_t)y) * (size_t)size[0] + (size_t)x;
}

static void fill(const int *size, float *pressure, float *divergence)
{
    for (size_t i = 0; i < at(size, 0, 0, size[2]); i++) {
        pressure[i] = sample_noise(2 * i);
        divergence[i] = sample_noise(2 * i + 1) - 0.5f;
    }
}

static void launch(const int *size, float *p, float *divergence, int colour)
{
    for (int z = 1; z < size[2] - 1; z++)
        for (int y = 1; y < size[1] - 1; y++)
            for (int x = 1; x < size[0] - 1; x++) {
                float around;

                if (((x + y + z) & 1) != colour)
                    continue;
                around = p[at(size, x - 1, y, z)] + p[at(size, x + 1, y, z)] +
                         p[at(size, x, y - 1, z)] + p[at(size, x, y + 1, z)] +
                         p[at(size, x, y, z - 1)] + p[at(size, x, y, z + 1)];
                p[at(size, x, y, z)] =
                    (around - divergence[at(size, x, y, z)]) * (1.0f / 6.0f);
            }
}

int main(int argc, char **argv)
{
    const struct sample_grid grid = {
        .summary = "A fluid's pressure from the divergence of its flow: red-black "
                   "Gauss-Seidel.",
        .kernel_text = cfd_kernel_text,
        .kernel_name = "cfd_sweep",
        .dims = 3,
        .size = {64, 64, 64},
        .cell_floats = 1,
        .swaps = false,
        .launches = 2,
        .fill = fill,
        .launch = launch,
    };

    return sample_grid_main(argc, argv, &grid);
}
