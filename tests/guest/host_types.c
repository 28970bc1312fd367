/* SPDX-License-Identifier: MIT */
/* Kernels on structs that can't be taken apart, beside one that can: a volatile member
 * under atomics, and an array without a length. Prints a hash of each buffer. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

enum { ITEMS = 3000, BUFFER_BYTES = 32 * ITEMS, LAUNCHES = 10, KERNELS = 3 };

static const char *const text =
    "typedef struct { float x, y; uchar tag[8]; short4 s; } plain;\n"
    "typedef struct { volatile int count; uint most; float2 f; char4 c; } counted;\n"
    "typedef struct { int n, m; float values[]; } headed;\n"
    "__kernel void plains(__global plain *p)\n"
    "{ int i = get_global_id(0); p[i].x += p[i].y; p[i].tag[i % 8]++; p[i].s = "
    "p[i].s.wzyx; }\n"
    "__kernel void counts(__global counted *p)\n"
    "{ int i = get_global_id(0); atomic_add(&p[i / 2].count, i); p[i].most += i; p[i].c "
    "= p[i].c.yxwz; }\n"
    "__kernel void follows(__global headed *p)\n"
    "{ int i = get_global_id(0); if (i < p->n) p->values[i] += 1.0f; }\n";

static void check(cl_int err)
{
    if (err != CL_SUCCESS) {
        printf("error %d\n", err);
        exit(9);
    }
}

static unsigned long hash(const unsigned char *bytes, size_t count)
{
    unsigned long h = 14695981039346656037u;

    for (size_t i = 0; i < count; i++)
        h = (h ^ bytes[i]) * 1099511628211u;
    return h;
}

int main(void)
{
    static const char *const names[KERNELS] = {"plains", "counts", "follows"};
    static unsigned char bytes[BUFFER_BYTES];
    const size_t items = ITEMS;
    cl_platform_id platform;
    cl_device_id device;
    cl_command_queue queue;
    cl_context context;
    cl_program program;
    cl_int err, count = ITEMS;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i % 4 == 3 ? 0x3f : i * 7);
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err);
    queue = clCreateCommandQueue(context, device, 0, &err);
    check(err);
    program = clCreateProgramWithSource(context, 1, (const char **)&text, NULL, &err);
    check(err);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL));
    for (int k = 0; k < KERNELS; k++) {
        cl_kernel kernel = clCreateKernel(program, names[k], &err);
        cl_mem mem;

        check(err);
        memcpy(bytes, &count, sizeof count);
        mem = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             sizeof bytes, bytes, &err);
        check(err);
        check(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        for (int l = 0; l < LAUNCHES; l++)
            check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL,
                                         NULL));
        check(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof bytes, bytes, 0, NULL,
                                  NULL));
        printf("%s %016lx\n", names[k], hash(bytes, sizeof bytes));
        clReleaseMemObject(mem);
        clReleaseKernel(kernel);
    }
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
