/* SPDX-License-Identifier: MIT */
/* host_doctor HOW SOURCE [KERNEL]: an OpenCL program for the doctor to look at, on the
 * first device.
 *   source   builds the file and launches a kernel of it, fake_step if none is named,
 *            once
 *   known    the same of a binary that it has had made from the file
 *   binary   the same of another binary of that: the fake driver's is text, which gets a
 *            blank more
 *   il       the same of IL, which for the fake driver is a word before the text
 *   early    makes its queue before it builds the file
 *   threads  the same while seven threads build it as well
 *   unused   builds the file and makes the kernel, without launching it
 *   turns    launches it and the kernel `other` by turns on one buffer, four times
 *   exit     the same as source, and ends without running what is to run at the end */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CL/cl.h>

enum { ITEMS = 64, BYTES = ITEMS * 12 };

static void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("line %d: %d\n", line, err);
    exit(1);
}
#define must(err) must_at(err, __LINE__)

static cl_program from_source(cl_context context, const char *path, bool il)
{
    char text[1 << 16] = "FAKEIL ";
    const size_t before = il ? strlen(text) : 0;
    const char *source = text;
    FILE *in = fopen(path, "r");
    cl_program program;
    cl_int err;

    if (!in)
        exit(1);
    text[before + fread(text + before, 1, sizeof text - 1 - before, in)] = '\0';
    fclose(in);
    program = il ? clCreateProgramWithIL(context, text, strlen(text), &err)
                 : clCreateProgramWithSource(context, 1, &source, NULL, &err);
    must(err);
    must(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    return program;
}

static cl_program from_binary(cl_context context, cl_device_id device, cl_program source,
                              bool known)
{
    unsigned char *binary;
    cl_program program;
    size_t bytes;
    cl_int err;

    must(clGetProgramInfo(source, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    binary = malloc(bytes + 1);
    must(clGetProgramInfo(source, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    if (!known)
        binary[bytes++] = ' ';
    program = clCreateProgramWithBinary(context, 1, &device, &bytes,
                                        (const unsigned char **)&binary, NULL, &err);
    must(err);
    must(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    free(binary);
    return program;
}

static cl_command_queue make_queue(cl_context context, cl_device_id device)
{
    cl_int err;
    cl_command_queue queue =
        clCreateCommandQueueWithProperties(context, device, NULL, &err);

    must(err);
    return queue;
}

static void launch(cl_context context, cl_command_queue queue, const cl_kernel *kernels,
                   unsigned count, unsigned times)
{
    const size_t global = ITEMS;
    const int n = ITEMS;
    cl_int err;
    cl_mem mem;

    mem = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &err);
    must(err);
    for (unsigned i = 0; i < count * times; i++) {
        cl_kernel kernel = kernels[i % count];

        must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        must(clSetKernelArg(kernel, 1, sizeof n, &n));
        must(
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    }
    must(clFinish(queue));
    clReleaseMemObject(mem);
}

struct built {
    cl_context context;
    const char *path;
};

static void *build(void *user)
{
    const struct built *of = user;
    cl_int err;
    cl_program program = from_source(of->context, of->path, false);
    cl_kernel kernel = clCreateKernel(program, "fake_step", &err);

    must(err);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    return NULL;
}

static void build_in_threads(cl_context context, const char *path)
{
    struct built of = {context, path};
    pthread_t threads[7];

    for (int i = 0; i < 7; i++)
        must(pthread_create(&threads[i], NULL, build, &of) == 0 ? CL_SUCCESS
                                                                : CL_OUT_OF_RESOURCES);
    for (int i = 0; i < 7; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_context context;
    cl_command_queue queue = NULL;
    cl_program program;
    cl_device_id device;
    cl_kernel kernels[2];
    unsigned count = 1;
    cl_int err;

    if (argc < 3)
        return 2;
    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must(err);
    if (strcmp(argv[1], "early") == 0)
        queue = make_queue(context, device);
    if (strcmp(argv[1], "threads") == 0)
        build_in_threads(context, argv[2]);
    program = from_source(context, argv[2], strcmp(argv[1], "il") == 0);
    if (strcmp(argv[1], "binary") == 0 || strcmp(argv[1], "known") == 0)
        program = from_binary(context, device, program, argv[1][0] == 'k');
    kernels[0] = clCreateKernel(program, argc > 3 ? argv[3] : "fake_step", &err);
    must(err);
    if (strcmp(argv[1], "turns") == 0) {
        kernels[count++] = clCreateKernel(program, "other", &err);
        must(err);
    }
    if (!queue)
        queue = make_queue(context, device);
    if (strcmp(argv[1], "unused") != 0)
        launch(context, queue, kernels, count, count == 2 ? 4 : 1);
    clReleaseCommandQueue(queue);
    while (count > 0)
        clReleaseKernel(kernels[--count]);
    clReleaseProgram(program);
    clReleaseContext(context);
    puts("the program has run");
    fflush(stdout);
    if (strcmp(argv[1], "exit") == 0)
        _exit(0);
    return 0;
}
