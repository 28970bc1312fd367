/* SPDX-License-Identifier: MIT */
/* The user's guide's program: moves particles on the first OpenCL device. It knows
 * nothing of DL. usage: particles [KERNEL_FILE [COUNT [STEPS]]] */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

struct particle {
    float position[3], velocity[3], colour[4], age, mass, charge, radius, spin, phase;
};

static void check(cl_int error, const char *what)
{
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "particles: %s: error %d\n", what, error);
    exit(1);
}

static const char *read_text(const char *name)
{
    static char text[65536];
    FILE *file = fopen(name, "r");
    if (!file) {
        perror(name);
        exit(1);
    }
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    const char *text = read_text(argc > 1 ? argv[1] : "particles.cl");
    cl_int count = argc > 2 ? atoi(argv[2]) : 100000,
           steps = argc > 3 ? atoi(argv[3]) : 10, error;
    struct particle *particles = calloc(count, sizeof *particles);
    size_t bytes = count * sizeof *particles, global = count;
    float seconds = 0.01f;
    double sum = 0;
    cl_platform_id platform;
    cl_device_id device;

    for (cl_int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            particles[i].velocity[axis] = (float)(i % 100 - axis);

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
    cl_kernel move = clCreateKernel(program, "move", &error);
    check(error, "clCreateKernel");
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   bytes, particles, &error);
    check(error, "clCreateBuffer");

    check(clSetKernelArg(move, 0, sizeof buffer, &buffer), "clSetKernelArg");
    check(clSetKernelArg(move, 1, sizeof count, &count), "clSetKernelArg");
    check(clSetKernelArg(move, 2, sizeof seconds, &seconds), "clSetKernelArg");
    for (int step = 0; step < steps; step++)
        check(clEnqueueNDRangeKernel(queue, move, 1, NULL, &global, NULL, 0, NULL, NULL),
              "clEnqueueNDRangeKernel");
    check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, particles, 0, NULL, NULL),
          "clEnqueueReadBuffer");

    for (cl_int i = 0; i < count; i++)
        sum += particles[i].position[0];
    printf("%d particles, %d steps, sum of x: %.3f\n", count, steps, sum);

    clReleaseMemObject(buffer);
    clReleaseKernel(move);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(particles);
    return 0;
}
