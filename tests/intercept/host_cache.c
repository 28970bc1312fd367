/* SPDX-License-Identifier: MIT */
/* host_cache SOURCE OPTIONS [OBJECTS [LAUNCHES]]: builds a file of annotated kernels,
 * makes so many objects of each of its kernels and launches every one so often on every
 * device of the context. With HOST_CALLBACK set, the build has a callback, which makes
 * kernels; with HOST_LAUNCHED=N only the first N of them are launched; with
 * HOST_CONTEXTS=N all that is done in N contexts, one after the other. Prints what comes
 * of it, and whether a libclang is in the process. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

enum { ITEMS = 77, BYTES = ITEMS * 12, DEVICES_MAX = 2, OBJECTS_MAX = 128 };

static void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("line %d: %d\n", line, err);
    exit(1);
}
#define must(err) must_at(err, __LINE__)
#define MADE(object, call)                                                               \
    do {                                                                                 \
        cl_int made;                                                                     \
        object = call;                                                                   \
        must(made);                                                                      \
    } while (0)

static char text[1 << 22];

static void CL_CALLBACK create_kernels(cl_program program, void *built)
{
    cl_kernel kernels[OBJECTS_MAX];
    cl_uint count;

    *(bool *)built = true;
    if (clCreateKernelsInProgram(program, OBJECTS_MAX, kernels, &count) != CL_SUCCESS)
        return;
    for (cl_uint i = 0; i < count; i++)
        clReleaseKernel(kernels[i]);
}

static cl_program build(cl_context context, const char *path, const char *options)
{
    const char *source = text;
    FILE *in = fopen(path, "r");
    cl_program program;

    if (!in)
        exit(1);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    MADE(program, clCreateProgramWithSource(context, 1, &source, NULL, &made));
    if (getenv("HOST_CALLBACK")) {
        static bool built;

        must(clBuildProgram(program, 0, NULL, options, create_kernels, &built));
        if (!built)
            exit(1);
    } else {
        must(clBuildProgram(program, 0, NULL, options, NULL, NULL));
    }
    return program;
}

static bool is_mapped(const char *name)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    bool found = false;

    while (fgets(line, sizeof line, maps))
        found = found || strstr(line, name);
    fclose(maps);
    return found;
}

static void run(cl_context context, cl_program program, cl_device_id device, int objects,
                int launches)
{
    static unsigned char bytes[BYTES];
    const size_t global = ITEMS;
    const int n = ITEMS;
    cl_command_queue queue;
    const char *few = getenv("HOST_LAUNCHED");
    cl_uint launched = few ? (cl_uint)atoi(few) : OBJECTS_MAX;
    cl_kernel kernels[OBJECTS_MAX];
    cl_uint count;
    unsigned sum = 0;
    cl_mem mem;

    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i % 61);
    MADE(queue, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    MADE(mem, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, bytes, &made));
    for (int o = 0; o < objects; o++) {
        must(clCreateKernelsInProgram(program, OBJECTS_MAX, kernels, &count));
        for (cl_uint k = 0; k < count; k++) {
            must(clSetKernelArg(kernels[k], 0, sizeof mem, &mem));
            must(clSetKernelArg(kernels[k], 1, sizeof n, &n));
            for (int l = 0; l < launches && k < launched; l++)
                must(clEnqueueNDRangeKernel(queue, kernels[k], 1, NULL, &global, NULL, 0,
                                            NULL, NULL));
            clReleaseKernel(kernels[k]);
        }
    }
    must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
    for (size_t i = 0; i < BYTES; i++)
        sum = sum * 31 + bytes[i];
    printf("checksum %08x\n", sum);
    clReleaseMemObject(mem);
    clReleaseCommandQueue(queue);
}

static void run_in_context(cl_uint count, const cl_device_id *devices, int argc,
                           char **argv)
{
    cl_context context;
    cl_program program;
    size_t bytes;

    MADE(context, clCreateContext(NULL, count, devices, NULL, NULL, &made));
    program = build(context, argv[1], argv[2]);
    for (cl_uint d = 0; d < count; d++)
        run(context, program, devices[d], argc > 3 ? atoi(argv[3]) : 1,
            argc > 4 ? atoi(argv[4]) : 1);
    must(clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &bytes));
    printf("source %zu bytes\n", bytes);
    clReleaseProgram(program);
    clReleaseContext(context);
}

int main(int argc, char **argv)
{
    const char *contexts = getenv("HOST_CONTEXTS");
    cl_device_id devices[DEVICES_MAX];
    cl_platform_id platform;
    cl_uint count;

    if (argc < 3)
        return 2;
    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES_MAX, devices, &count));
    for (int c = 0; c < (contexts ? atoi(contexts) : 1); c++)
        run_in_context(count, devices, argc, argv);
    printf("libclang: %s\n", is_mapped("libclang") ? "yes" : "no");
    return 0;
}
