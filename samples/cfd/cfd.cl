/* SPDX-License-Identifier: MIT */
/* The pressure of a fluid from the divergence of its flow, by the red-black method of
 * Gauss and Seidel: a launch changes the cells of one colour, in place, from those of the
 * other. Each sum of products is spelled with fma, so that the result does not depend on
 * the code around it. */
#pragma OPENCL FP_CONTRACT OFF

#define AT(f, x, y, z) f[((z)*ny + (y)) * nx + (x)]

__kernel void cfd_sweep(__global float *pressure, __global const float *divergence,
                        int nx, int ny, int nz, int colour)
{
    const int x = get_global_id(0) + 1;
    const int y = get_global_id(1) + 1;
    const int z = get_global_id(2) + 1;
    if (x >= nx - 1 || ((x + y + z) & 1) != colour)
        return;

    const float around = AT(pressure, x - 1, y, z) + AT(pressure, x + 1, y, z) +
                         AT(pressure, x, y - 1, z) + AT(pressure, x, y + 1, z) +
                         AT(pressure, x, y, z - 1) + AT(pressure, x, y, z + 1);

    AT(pressure, x, y, z) = (around - AT(divergence, x, y, z)) * (1.0f / 6.0f);
}
