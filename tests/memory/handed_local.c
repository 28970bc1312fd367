/* SPDX-License-Identifier: MIT */
/* Work-groups that share local memory through functions: a kernel that hands its array to
 * a large helper twice, and one that copies structs. Prints a checksum of the buffers
 * after each of a few launches of some hundred groups, of which several run at a time. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

enum { GROUP = 64, STRUCTS = 256 * GROUP, LAUNCHES = 4 };

enum { WORDS = 8 * STRUCTS }; /* of eight each */

static const char *const text =
    "typedef struct { int a, b, c, d, e, f, g, h; } item;\n"
    "WORK int work(__global item *p, int i, __local int *t, int l, int w)\n"
    "{\n"
    "    int s = 0;\n"
    "    t[l] = p[i].a * w + p[i].b;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int k = 0; k < 64; k++) {\n"
    "        int x = t[(l + k) % 64];\n"
    "        if (x > 100000) s += x * 3 + p[i].c; else if (x > 10000) s -= x + p[i].d;\n"
    "        else if (x > 1000) s ^= x + p[i].e * 2; else if (x > 100) s += x * x - "
    "p[i].f;\n"
    "        else if (x > 10) s -= x * x * x + p[i].g; else s += p[i].h * x;\n"
    "        if (k % 7 == 3) p[i].c += x; else if (k % 11 == 5) p[i].d -= x * s;\n"
    "        else if (k % 13 == 6) p[i].e += s;\n"
    "        p[i].f = p[i].f * 5 + x; p[i].g += p[i].f * x; p[i].h = max(p[i].h, x);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    return s;\n"
    "}\n"
    "//DL: AoS: p[n]\n"
    "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
    "void handed(__global item *p, int n)\n"
    "{\n"
    "    __local int t[64];\n"
    "    int i = get_global_id(0), l = get_local_id(0), s = work(p, i, t, l, 25);\n"
    "    s += work(p, i, t, l, s & 15);\n"
    "    p[i].a = s;\n"
    "}\n";
static const char *const copies =
    "typedef struct { int a, b, c, d, e, f, g, h; } item;\n"
    "//DL: AoS: p[n], q[n]\n"
    "__kernel void copy(__global item *q, int n, __global const item *p)\n"
    "{ int i = get_global_id(0); q[i] = p[(i * 7) % n]; }\n";

static void must(cl_int err, const char *what)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s: %d\n", what, err);
    exit(1);
}

static struct {
    cl_context context;
    cl_command_queue queue;
    cl_device_id device;
    cl_mem mems[2];
    cl_int words[WORDS];
} at;

static cl_kernel kernel_of(const char *source, const char *name, const char *options)
{
    cl_int err;
    cl_program program = clCreateProgramWithSource(at.context, 1, &source, NULL, &err);
    cl_kernel kernel;

    must(err, "program");
    must(clBuildProgram(program, 1, &at.device, options, NULL, NULL), "build");
    kernel = clCreateKernel(program, name, &err);
    must(err, "kernel");
    must(clReleaseProgram(program), "release");
    return kernel;
}

/* In groups of `local`; 0: as the driver likes. */
static void launch(const char *source, const char *name, const char *options,
                   size_t local)
{
    const size_t global = STRUCTS;
    const cl_int n = STRUCTS;
    cl_kernel kernel = kernel_of(source, name, options);

    must(clSetKernelArg(kernel, 0, sizeof(cl_mem), &at.mems[0]), "argument");
    must(clSetKernelArg(kernel, 1, sizeof n, &n), "argument");
    if (source == copies)
        must(clSetKernelArg(kernel, 2, sizeof(cl_mem), &at.mems[1]), "argument");
    for (int l = 0; l < LAUNCHES; l++) {
        uint64_t sum = UINT64_C(14695981039346656037);

        for (unsigned i = 0; i < WORDS; i++)
            at.words[i] = (cl_int)(i * 2654435761u >> 18);
        for (int m = 0; m < 2; m++)
            must(clEnqueueWriteBuffer(at.queue, at.mems[m], CL_TRUE, 0, sizeof at.words,
                                      at.words, 0, NULL, NULL),
                 "write");
        must(clEnqueueNDRangeKernel(at.queue, kernel, 1, NULL, &global,
                                    local ? &local : NULL, 0, NULL, NULL),
             "launch");
        must(clEnqueueReadBuffer(at.queue, at.mems[0], CL_TRUE, 0, sizeof at.words,
                                 at.words, 0, NULL, NULL),
             "read");
        for (unsigned i = 0; i < WORDS; i++)
            sum = (sum ^ (uint32_t)at.words[i]) * UINT64_C(1099511628211);
        printf("%s in groups of %zu: %016" PRIx64 "\n", name, local, sum);
    }
    must(clReleaseKernel(kernel), "release");
}

int main(void)
{
    cl_platform_id platform;
    cl_int err;

    must(clGetPlatformIDs(1, &platform, NULL), "platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &at.device, NULL), "device");
    at.context = clCreateContext(NULL, 1, &at.device, NULL, NULL, &err);
    must(err, "context");
    at.queue = clCreateCommandQueue(at.context, at.device, 0, &err);
    must(err, "queue");
    for (int m = 0; m < 2; m++) {
        at.mems[m] =
            clCreateBuffer(at.context, CL_MEM_READ_WRITE, sizeof at.words, NULL, &err);
        must(err, "buffer");
    }
    launch(text, "handed", "-DWORK=", GROUP);
    launch(text, "handed", "-DWORK=__attribute__((noinline))", GROUP);
    launch(copies, "copy", "", GROUP);
    launch(copies, "copy", "", 1);
    for (int m = 0; m < 2; m++)
        must(clReleaseMemObject(at.mems[m]), "release");
    must(clReleaseCommandQueue(at.queue), "release");
    must(clReleaseContext(at.context), "release");
    return 0;
}
