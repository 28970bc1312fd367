/* SPDX-License-Identifier: MIT */
/* An ordinary OpenCL program with one pattern of use, that knows nothing of DL.
 *
 *   pattern NAME LAUNCHES STRUCTS [profiling] [early] [wait] [relaxed]
 *
 * NAME: few (one of 16 floats read, one written), gather (structs at random), rewritten
 * (the host writes all of the buffer before each launch), between (a kernel without
 * annotation after each), probe and poke (the host reads, or writes, some 64 floats after
 * each). early: the queue is made before the program is built. Prints a checksum of what
 * the buffer holds. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

static const char *const source =
    "#ifndef RELAXED\n"
    "#pragma OPENCL FP_CONTRACT OFF\n"
    "#endif\n"
    "typedef struct { float f[16]; } wide;\n"
    "//DL: AoS: o[n]\n"
    "__kernel void few(__global wide *o, int n, float r)\n"
    "{ int i = get_global_id(0); o[i].f[3] = o[i].f[1] * r + o[i].f[3]; }\n"
    "//DL: AoS: o[n], p[n]\n"
    "__kernel void gather(__global const wide *o, __global wide *p, int n,\n"
    "                     __global const int *at)\n"
    "{ int i = get_global_id(0); float s = 0;\n"
    "  for (int k = 0; k < 16; k++) s += o[at[i]].f[k];\n"
    "  p[i].f[0] = s; }\n"
    "__kernel void plain(__global float *o, float r)\n"
    "{ int i = get_global_id(0); o[i] = o[i] * r + 1.0f; }\n";

static void check(cl_int err, const char *what)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s: %d\n", what, err);
    exit(1);
}

struct program {
    cl_context context;
    cl_command_queue queue;
    cl_kernel few, gather, plain;
    cl_mem wide, other, at;
    float *host;
    cl_int structs;
    float probed[64];
    uint64_t seen; /* a checksum of what the host has seen between launches */
};

static void launch(struct program *p, cl_kernel kernel, size_t items)
{
    check(clEnqueueNDRangeKernel(p->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
          "launch");
}

static void run(struct program *p, const char *name, unsigned step)
{
    const float r = 0.5f + (float)(step % 7) / 8;
    size_t bytes = (size_t)p->structs * 64;

    if (strcmp(name, "rewritten") == 0) {
        p->host[step % 16] += 1;
        check(clEnqueueWriteBuffer(p->queue, p->wide, CL_TRUE, 0, bytes, p->host, 0, NULL,
                                   NULL),
              "write");
    }
    if (strcmp(name, "gather") == 0) {
        check(clSetKernelArg(p->gather, 0, sizeof p->wide, &p->wide), "argument");
        check(clSetKernelArg(p->gather, 1, sizeof p->other, &p->other), "argument");
        check(clSetKernelArg(p->gather, 2, sizeof p->structs, &p->structs), "argument");
        check(clSetKernelArg(p->gather, 3, sizeof p->at, &p->at), "argument");
        launch(p, p->gather, (size_t)p->structs);
        return;
    }
    check(clSetKernelArg(p->few, 0, sizeof p->wide, &p->wide), "argument");
    check(clSetKernelArg(p->few, 1, sizeof p->structs, &p->structs), "argument");
    check(clSetKernelArg(p->few, 2, sizeof r, &r), "argument");
    launch(p, p->few, (size_t)p->structs);
    if (strcmp(name, "probe") == 0)
        check(clEnqueueReadBuffer(p->queue, p->wide, CL_TRUE, step % 64 * 4,
                                  sizeof p->probed, p->probed, 0, NULL, NULL),
              "read");
    p->probed[step % 64] += 1;
    if (strcmp(name, "poke") == 0)
        check(clEnqueueWriteBuffer(p->queue, p->wide, CL_TRUE, step % 64 * 4,
                                   sizeof p->probed, p->probed, 0, NULL, NULL),
              "write");
    for (unsigned i = 0; i < 64; i++)
        p->seen = (p->seen ^ (uint64_t)(p->probed[i] * 8)) * UINT64_C(1099511628211);
    if (strcmp(name, "between") == 0) {
        check(clSetKernelArg(p->plain, 0, sizeof p->wide, &p->wide), "argument");
        check(clSetKernelArg(p->plain, 1, sizeof r, &r), "argument");
        launch(p, p->plain, 1024);
    }
}

static void build(struct program *p, cl_device_id device, bool relaxed)
{
    cl_int err;
    cl_program program =
        clCreateProgramWithSource(p->context, 1, (const char **)&source, NULL, &err);

    check(err, "program");
    check(
        clBuildProgram(program, 1, &device, relaxed ? "-cl-mad-enable" : "", NULL, NULL),
        "build");
    p->few = clCreateKernel(program, "few", &err);
    check(err, "kernel");
    p->gather = clCreateKernel(program, "gather", &err);
    check(err, "kernel");
    p->plain = clCreateKernel(program, "plain", &err);
    check(err, "kernel");
    clReleaseProgram(program);
}

static void make_buffers(struct program *p)
{
    size_t structs = (size_t)p->structs, bytes = structs * 64;
    cl_int *at = malloc(structs * sizeof *at), err;
    uint32_t random = 1;

    p->host = malloc(bytes);
    for (size_t i = 0; i < structs; i++)
        at[i] = (cl_int)((random = random * 1664525 + 1013904223) % structs);
    for (size_t i = 0; i < structs * 16; i++)
        p->host[i] = (float)(i % 1021);
    p->wide = clCreateBuffer(p->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                             p->host, &err);
    check(err, "buffer");
    p->other = clCreateBuffer(p->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                              p->host, &err);
    check(err, "buffer");
    p->at = clCreateBuffer(p->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                           structs * sizeof *at, at, &err);
    check(err, "buffer");
    free(at);
}

/* FNV-1a of both buffers. */
static uint64_t checksum(struct program *p)
{
    size_t bytes = (size_t)p->structs * 64;
    uint64_t sum = UINT64_C(14695981039346656037) ^ p->seen;

    for (int b = 0; b < 2; b++) {
        check(clEnqueueReadBuffer(p->queue, b ? p->other : p->wide, CL_TRUE, 0, bytes,
                                  p->host, 0, NULL, NULL),
              "read");
        for (size_t i = 0; i < bytes; i++)
            sum = (sum ^ ((unsigned char *)p->host)[i]) * UINT64_C(1099511628211);
    }
    return sum;
}

int main(int argc, char **argv)
{
    bool profiling = false, early = false, wait = false, relaxed = false;
    struct program p = {0};
    cl_platform_id platform;
    cl_device_id device;
    cl_int err;

    if (argc < 4)
        return 2;
    for (int i = 4; i < argc; i++) {
        profiling |= strcmp(argv[i], "profiling") == 0;
        early |= strcmp(argv[i], "early") == 0;
        wait |= strcmp(argv[i], "wait") == 0;
        relaxed |= strcmp(argv[i], "relaxed") == 0;
    }
    p.structs = (cl_int)strtol(argv[3], NULL, 10);
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    p.context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err, "context");
    if (!early)
        build(&p, device, relaxed);
    p.queue = clCreateCommandQueue(p.context, device,
                                   profiling ? CL_QUEUE_PROFILING_ENABLE : 0, &err);
    check(err, "queue");
    if (early)
        build(&p, device, relaxed);
    make_buffers(&p);
    for (unsigned step = 0; step < strtoul(argv[2], NULL, 10); step++) {
        run(&p, argv[1], step);
        if (wait)
            clFinish(p.queue);
    }
    printf("%016" PRIx64 "\n", checksum(&p));
    clReleaseKernel(p.few);
    clReleaseKernel(p.gather);
    clReleaseKernel(p.plain);
    clReleaseMemObject(p.wide);
    clReleaseMemObject(p.other);
    clReleaseMemObject(p.at);
    clReleaseCommandQueue(p.queue);
    clReleaseContext(p.context);
    free(p.host);
    return 0;
}
