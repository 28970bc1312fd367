/* SPDX-License-Identifier: MIT */
/* y = A x of a sparse matrix in ELL form: every row has `width` entries, stored one
 * behind the other; short rows are filled up with entries of value 0.
 *
 * Each row is summed in its own order and with fma: the result does not depend on the
 * code around it, nor on where the entries lie. */
#pragma OPENCL FP_CONTRACT OFF

//DL: AoS: columns[rows][width], values[rows][width]
__kernel void spmv(__global const int *columns, __global const float *values,
                   __global const float *x, __global float *y, int rows, int width)
{
    const int row = get_global_id(0);
    if (row >= rows)
        return; /* the global size is rounded up to whole work-groups */

    float sum = 0.0f;
#ifdef LOADS_AHEAD /* few work-items: several loads of each are under way */
#pragma unroll 8
#endif
    for (int k = 0; k < width; k++)
        sum = fma(values[row * width + k], x[columns[row * width + k]], sum);
    y[row] = sum;
}
