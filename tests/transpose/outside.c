/* SPDX-License-Identifier: MIT */
/* A program that knows nothing of DL's tree: docs/transpose.md's example on the first
 * device. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dl_matcopy.h>
#include <dl_transpose.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    enum { ROWS = 401, COLS = 307 };
    static int numbers[ROWS * COLS];
    cl_platform_id platform;
    cl_device_id device;
    cl_int err = clGetPlatformIDs(1, &platform, NULL);

    if (err != CL_SUCCESS ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
        return 77;
    for (int i = 0; i < ROWS * COLS; i++)
        numbers[i] = i;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    cl_mem matrix = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   sizeof numbers, numbers, &err);
    cl_mem target =
        clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof numbers, NULL, &err);
#include "example.inc"
    clEnqueueReadBuffer(queue, matrix, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL,
                        NULL);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            if (numbers[j * ROWS + i] != i * COLS + j)
                return 1;
    /* The second example transposes that once more. */
    clEnqueueReadBuffer(queue, target, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL,
                        NULL);
    for (int i = 0; i < ROWS * COLS; i++)
        if (numbers[i] != i)
            return 2;
    puts("transposed");
    clReleaseMemObject(target);
    clReleaseMemObject(matrix);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
