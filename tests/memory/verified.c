/* SPDX-License-Identifier: MIT */
/* verified KERNEL ITEMS LAUNCHES: launches one of some kernels, some of them annotated,
 * and prints a sum of what it gave. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

static const char *source =
    "typedef struct { int a; float b; int c[6]; } item;\n"
    "typedef struct { double d; char c; float3 v; char e; } padded;\n"
    "//DL: AoS: p[n], out[n]\n"
    "__kernel void drawn(__global item *p, __global item *out, __global int *next, int "
    "n)\n"
    "{ int i = get_global_id(0); if (i < n) { int s = atomic_inc(next) % n; out[s].a = "
    "i; out[s].b = p[i].b; } }\n"
    "//DL: AoS: p[n], q[n]\n"
    "__kernel void made_here(__global padded *p, __global padded *q, __global int *next, "
    "int n)\n"
    "{ int i = get_global_id(0); if (i < n) { padded x; x.d = q[i].d + 1; x.c = i; x.v = "
    "q[i].v * 2; x.e = 3;\n"
    "  p[i] = x; } }\n"
    "//DL: AoS: p[n], q[n]\n"
    "__kernel void lane(__global padded *p, __global padded *q, __global int *next, int "
    "n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].v = q[i].v + (float3)(1, 2, 3); "
    "q[i].v = q[i].v; } }\n"
    "__kernel void found(__global item *p, __global item *q, __global int *next, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].b += q[i].b; p[i].a ^= i; } }\n";

static void must(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("line %d: error %d\n", line, err);
    exit(1);
}

int main(int argc, char **argv)
{
    const char *name = argc > 3 ? argv[1] : "found";
    const cl_int n = argc > 3 ? atoi(argv[2]) : 1000,
                 launches = argc > 3 ? atoi(argv[3]) : 1;
    const size_t global = (size_t)n, bytes = 64 * global;
    unsigned char *host = malloc(bytes < 64 ? 64 : bytes);
    cl_mem buffers[3];
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    unsigned sum = 0;
    cl_int err;

    must(clGetPlatformIDs(1, &platform, NULL), __LINE__);
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), __LINE__);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err, __LINE__);
    queue = clCreateCommandQueue(context, device, 0, &err);
    must(err, __LINE__);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    must(err, __LINE__);
    must(clBuildProgram(program, 1, &device, "", NULL, NULL), __LINE__);
    kernel = clCreateKernel(program, name, &err);
    must(err, __LINE__);
    for (size_t i = 0; i < bytes; i++)
        host[i] = (unsigned char)(i * 2654435761u >> 13);
    for (cl_uint b = 0; b < 3; b++) {
        if (b == 2)
            memset(host, 0, 4);
        buffers[b] =
            clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, b == 2 ? 4 : bytes, host, &err);
        must(err, __LINE__);
        must(clSetKernelArg(kernel, b, sizeof *buffers, &buffers[b]), __LINE__);
    }
    must(clSetKernelArg(kernel, 3, sizeof n, &n), __LINE__);
    for (int i = 0; i < launches; i++)
        must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
             __LINE__);
    must(clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, bytes, host, 0, NULL, NULL),
         __LINE__);
    for (size_t i = 0; i < bytes; i++)
        sum = sum * 31 + host[i];
    printf("%08x\n", sum);
    for (cl_uint b = 0; b < 3; b++)
        must(clReleaseMemObject(buffers[b]), __LINE__);
    must(clReleaseKernel(kernel), __LINE__);
    must(clReleaseProgram(program), __LINE__);
    must(clReleaseCommandQueue(queue), __LINE__);
    must(clReleaseContext(context), __LINE__);
    free(host);
    return 0;
}
