/* SPDX-License-Identifier: MIT */
/* A program whose host writes all structs of a buffer at each step, in arrays where DL
 * lets it (dl.h). usage: cells [COUNT [STEPS]] */
#define CL_TARGET_OPENCL_VERSION 120
#include <dl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float density, speed, heat, dye;
} cell;

static const char *text = "typedef struct { float density, speed, heat, dye; } cell;\n"
                          "//DL: AoS: cells[count]\n"
                          "__kernel void warm(__global cell *cells, int count)\n"
                          "{\n"
                          "    int i = get_global_id(0);\n"
                          "    if (i < count)\n"
                          "        cells[i].heat += cells[i].density;\n"
                          "}\n";

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "cells: %s: error %d\n", what, error);
    exit(1);
}

int main(int argc, char **argv)
{
    cl_int count = argc > 1 ? atoi(argv[1]) : 100000,
           steps = argc > 2 ? atoi(argv[2]) : 10, error;
    size_t bytes = count * sizeof(cell), global = count;
    char *host = calloc(count, sizeof(cell));
    double heat = 0;
    cl_platform_id platform;
    cl_device_id device;

    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
          "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    check(error, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel warm = clCreateKernel(program, "warm", &error);
    check(error, "clCreateKernel");
    cl_mem cells = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                  bytes, host, &error);
    check(error, "clCreateBuffer");
    check(clSetKernelArg(warm, 0, sizeof cells, &cells), "clSetKernelArg");
    check(clSetKernelArg(warm, 1, sizeof count, &count), "clSetKernelArg");

    /* An array for each field. */
    cl_buffer_layout_dl layout = {.kind = CL_LAYOUT_SOA_DL, .struct_bytes = sizeof(cell)};
    const cl_field_dl fields[] = {{offsetof(cell, density), sizeof(float)},
                                  {offsetof(cell, speed), sizeof(float)},
                                  {offsetof(cell, heat), sizeof(float)},
                                  {offsetof(cell, dye), sizeof(float)}};

    error = dl_buffer_set_host_layout(cells, &layout, 4, fields);
    if (error != CL_SUCCESS) /* without DL, or it leaves the buffer as it is */
        layout =
            (cl_buffer_layout_dl){.kind = CL_LAYOUT_AOS_DL, .struct_bytes = sizeof(cell)};
    for (int step = 0; step < steps; step++) {
        check(clEnqueueReadBuffer(queue, cells, CL_TRUE, 0, bytes, host, 0, NULL, NULL),
              "clEnqueueReadBuffer");
        for (cl_int i = 0; i < count; i++)
            *(float *)(host + dl_layout_byte(&layout, offsetof(cell, density),
                                             sizeof(float), i)) = (float)(i % 7);
        check(clEnqueueWriteBuffer(queue, cells, CL_TRUE, 0, bytes, host, 0, NULL, NULL),
              "clEnqueueWriteBuffer");
        check(clEnqueueNDRangeKernel(queue, warm, 1, NULL, &global, NULL, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
    }
    check(clEnqueueReadBuffer(queue, cells, CL_TRUE, 0, bytes, host, 0, NULL, NULL),
          "clEnqueueReadBuffer");
    for (cl_int i = 0; i < count; i++)
        heat += *(float *)(host + dl_layout_byte(&layout, offsetof(cell, heat),
                                                 sizeof(float), i));
    printf("the host had %s, heat: %.0f\n",
           layout.kind == CL_LAYOUT_SOA_DL ? "arrays" : "structs", heat);

    clReleaseMemObject(cells);
    clReleaseKernel(warm);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(host);
    return 0;
}
