/* SPDX-License-Identifier: MIT */
/* One step of heat that spreads in a box, by Jacobi's method on seven points. Each sum of
 * products is spelled with fma, so that the result does not depend on the code around it.
 */
#pragma OPENCL FP_CONTRACT OFF

#define AT(f, x, y, z) f[((z)*ny + (y)) * nx + (x)]

__kernel void heat_step(__global const float *now, __global float *next, int nx, int ny,
                        int nz)
{
    const int x = get_global_id(0) + 1;
    const int y = get_global_id(1) + 1;
    const int z = get_global_id(2) + 1;
    if (x >= nx - 1)
        return; /* the global size is rounded up to whole work-groups */

    const float here = AT(now, x, y, z);
    const float around = AT(now, x - 1, y, z) + AT(now, x + 1, y, z) +
                         AT(now, x, y - 1, z) + AT(now, x, y + 1, z) +
                         AT(now, x, y, z - 1) + AT(now, x, y, z + 1);

    AT(next, x, y, z) = fma(0.125f, fma(-6.0f, here, around), here);
}
