/* SPDX-License-Identifier: MIT */
/* Two kernels by turns on an array of structs; one of them, and a helper of it, print
 * where a value passes a limit.
 *     host_prints STRUCTS STEPS LIMIT */
#include <stdio.h>
#include <stdlib.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

static const char text[] =
    "typedef struct { float x, v, m[14]; } body;\n"
    "#define WARN(...) printf(__VA_ARGS__)\n"
    "int check(float x, float limit)\n"
    "{\n"
    "    if (x > limit) { WARN(\"far %d\\n\", (int)(x * 1000)); return 1; }\n"
    "    return 0;\n"
    "}\n"
    "int twice(float x, float limit) { return check(x, limit) + (check((x), limit)); }\n"
    "__kernel void kick(__global body *b, float limit)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    b[i].v -= b[i].x;\n"
    "}\n"
    "__kernel void drift(__global body *b, float limit)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    b[i].x += b[i].v;\n"
    "    b[i].m[0] += twice(b[i].x, limit);\n"
    "    if (b[i].x > 2 * limit) printf(\"lost %d\\n\", i);\n"
    "}\n";

static void check(cl_int err, const char *what)
{
    if (err != CL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, err);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? (size_t)atoi(argv[1]) : 100, floats = n * 16;
    int steps = argc > 2 ? atoi(argv[2]) : 3;
    float limit = argc > 3 ? (float)atof(argv[3]) : 1e9f;
    const char *source = text, *const names[] = {"kick", "drift"};
    float *bodies = malloc(floats * sizeof *bodies);
    double sum = 0;
    cl_platform_id platform;
    cl_device_id device;
    cl_command_queue queue;
    cl_kernel kernels[2];
    cl_program program;
    cl_context context;
    cl_mem buffer;
    cl_int err;

    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err, "context");
    queue = clCreateCommandQueue(context, device, 0, &err);
    check(err, "queue");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    check(err, "program");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    for (size_t i = 0; i < floats; i++)
        bodies[i] = (float)(i * 2654435761u % 1000) / 1000;
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            floats * sizeof *bodies, bodies, &err);
    check(err, "buffer");
    for (int k = 0; k < 2; k++) {
        kernels[k] = clCreateKernel(program, names[k], &err);
        check(err, "kernel");
        check(clSetKernelArg(kernels[k], 0, sizeof buffer, &buffer), "argument");
        check(clSetKernelArg(kernels[k], 1, sizeof limit, &limit), "argument");
    }
    for (int s = 0; s < 2 * steps; s++)
        check(clEnqueueNDRangeKernel(queue, kernels[s % 2], 1, NULL, &n, NULL, 0, NULL,
                                     NULL),
              "launch");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, floats * sizeof *bodies, bodies,
                              0, NULL, NULL),
          "read");
    for (size_t i = 0; i < floats; i++)
        sum += bodies[i] * (double)(i % 7 + 1);
    printf("sum %.9g\n", sum);
    for (int k = 0; k < 2; k++)
        clReleaseKernel(kernels[k]);
    clReleaseMemObject(buffer);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(bodies);
    return 0;
}
