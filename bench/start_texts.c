/* SPDX-License-Identifier: MIT */
/* start_texts LAUNCHED FILE...: builds each text and launches the first kernels of it
 * once, each with an array of structs, an array of floats and a length. Prints a hash of
 * what they have written. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdio.h>
#include <stdlib.h>

#include <CL/cl.h>

enum { ITEMS = 256, BYTES = ITEMS * 128, TEXT_BYTES = 4 << 20, NAME_BYTES = 32 };

static void must(const char *call, cl_int err)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s: %d\n", call, err);
    exit(1);
}

static const char *read_text(const char *path)
{
    char *text = calloc(1, TEXT_BYTES);
    FILE *in = fopen(path, "r");

    if (!text || !in)
        exit(1);
    text[fread(text, 1, TEXT_BYTES - 1, in)] = '\0';
    fclose(in);
    return text;
}

static void launch(cl_command_queue queue, cl_program program, int number, cl_mem structs,
                   cl_mem floats)
{
    const size_t items = ITEMS;
    const cl_int count = ITEMS;
    char name[NAME_BYTES];
    cl_kernel kernel;
    cl_int err;

    snprintf(name, sizeof name, "k%d", number);
    kernel = clCreateKernel(program, name, &err);
    must(name, err);
    must("argument", clSetKernelArg(kernel, 0, sizeof structs, &structs));
    must("argument", clSetKernelArg(kernel, 1, sizeof floats, &floats));
    must("argument", clSetKernelArg(kernel, 2, sizeof count, &count));
    must("launch",
         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    clReleaseKernel(kernel);
}

int main(int argc, char **argv)
{
    static unsigned char bytes[BYTES];
    unsigned long hash = 5381;
    cl_platform_id platform;
    cl_command_queue queue;
    cl_context context;
    cl_device_id device;
    cl_mem mems[2];
    cl_int err;

    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 % 61);
    must("platform", clGetPlatformIDs(1, &platform, NULL));
    must("device", clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    must("context", err);
    queue = clCreateCommandQueue(context, device, 0, &err);
    must("queue", err);
    for (int m = 0; m < 2; m++) {
        mems[m] = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, BYTES, bytes, &err);
        must("buffer", err);
    }
    for (int f = 2; f < argc; f++) {
        const char *text = read_text(argv[f]);
        cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);

        must("program", err);
        must("build", clBuildProgram(program, 1, &device, "", NULL, NULL));
        for (int k = 0; k < atoi(argv[1]); k++)
            launch(queue, program, k, mems[0], mems[1]);
        clReleaseProgram(program);
        free((char *)text);
    }
    for (int m = 0; m < 2; m++) {
        must("read", clEnqueueReadBuffer(queue, mems[m], CL_TRUE, 0, BYTES, bytes, 0,
                                         NULL, NULL));
        for (size_t i = 0; i < BYTES; i++)
            hash = hash * 33 + bytes[i];
        clReleaseMemObject(mems[m]);
    }
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    printf("%016lx\n", hash);
    return 0;
}
