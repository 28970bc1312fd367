/* SPDX-License-Identifier: MIT */
/* A kernel on structs of so many floats, half of which it changes; checks every one.
 *
 * usage: wide_program FLOATS */
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

enum { STRUCTS = 75 };

static void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    fprintf(stderr, "wide_program, line %d: %d\n", line, err);
    exit(1);
}
#define must(err) must_at(err, __LINE__)

int main(int argc, char **argv)
{
    unsigned floats = argc > 1 ? (unsigned)atoi(argv[1]) : 1000, wrong = 0;
    size_t count = (size_t)floats * STRUCTS, global = STRUCTS;
    float *data = malloc(count * sizeof *data);
    char text[400];
    const char *texts[] = {text};
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem mem;
    cl_int err;

    snprintf(text, sizeof text,
             "typedef struct { float a[%u]; } wide;\n"
             "//DL: AoS: f[global_size(0)]\n"
             "__kernel void half_of(__global wide *f) {\n"
             "    size_t i = get_global_id(0);\n"
             "    for (int k = 0; k < %u; k += 2) f[i].a[k] = f[i].a[k] + i;\n"
             "}\n",
             floats, floats);
    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err);
    queue = clCreateCommandQueue(context, device, 0, &err);
    must(err);
    program = clCreateProgramWithSource(context, 1, texts, NULL, &err);
    must(err);
    must(clBuildProgram(program, 1, &device, "", NULL, NULL));
    kernel = clCreateKernel(program, "half_of", &err);
    must(err);
    for (size_t k = 0; k < count; k++)
        data[k] = (float)(k % 8191);
    mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, count * sizeof *data, data, &err);
    must(err);
    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    for (int launch = 0; launch < 2; launch++)
        must(
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, count * sizeof *data, data, 0, NULL,
                             NULL));
    for (size_t k = 0; k < count; k++) {
        size_t i = k / floats, in_struct = k % floats;
        wrong += data[k] != (float)(k % 8191 + (in_struct % 2 ? 0 : 2 * i));
    }
    if (wrong > 0)
        fprintf(stderr, "wide_program: %u of %zu are wrong\n", wrong, count);
    clReleaseMemObject(mem);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(data);
    return wrong > 0;
}
