/* SPDX-License-Identifier: MIT */
/* The lattice-Boltzmann method of two dimensions in its simplest form (Sung 2013,
 * listing 6.1): a cell sends what flows through it on to its four neighbours. The
 * thesis's has no factor of a half, without which all grows without bound. */

enum { NORTH, EAST, WEST, SOUTH, CELL_FLOATS };

#define AT(f, y, x, field) f[((y)*nx + (x)) * CELL_FLOATS + (field)]

//DL: AoS: a0[nx * ny][CELL_FLOATS], anext[nx * ny][CELL_FLOATS]
__kernel void lbm2d_step(__global const float *a0, __global float *anext, int nx, int ny)
{
    const int i = get_global_id(0) + 1;
    const int j = get_global_id(1) + 1;
    if (i >= nx - 1)
        return; /* the global size is rounded up to whole work-groups */

    const float x_velo = 0.5f * (AT(a0, j, i, EAST) - AT(a0, j, i, WEST));
    const float y_velo = 0.5f * (AT(a0, j, i, NORTH) - AT(a0, j, i, SOUTH));

    AT(anext, j, i - 1, EAST) = x_velo;
    AT(anext, j, i + 1, WEST) = -x_velo;
    AT(anext, j - 1, i, NORTH) = y_velo;
    AT(anext, j + 1, i, SOUTH) = -y_velo;
}
