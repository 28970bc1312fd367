/* SPDX-License-Identifier: MIT */
/* Launches of one kernel that goes from row to row of structs by bytes, which its
 * arguments give; what each leaves is printed.
 *     host_bytes OFFSET:STRIDE[:ROWS]... */
#include <stdio.h>
#include <stdlib.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

enum {
    ROWS = 300,
    BLOCKS = 5,
    BLOCK_BYTES = 34,
    BYTES = (ROWS * BLOCKS + 9) * BLOCK_BYTES
};

static const char text[] =
    "typedef struct { half d; char qs[32]; } block;\n"
    "__kernel void go(__global char *w, ulong offset, ulong stride, __global int *out)\n"
    "{\n"
    "    int row = get_global_id(0);\n"
    "    __global block *b;\n"
    "    int sum = 0;\n"
    "    w = w + offset;\n"
    "    b = (__global block *)(w + row * stride);\n"
    "    for (int i = 0; i < 5; i++)\n"
    "        for (int k = 0; k < 32; k++)\n"
    "            sum += b[i].qs[k] * (k + 1);\n"
    "    b->qs[3] += (char)sum;\n"
    "    out[row] = sum;\n"
    "}\n";

static void check(cl_int err, const char *what)
{
    if (err != CL_SUCCESS) {
        fprintf(stderr, "%s: %d\n", what, err);
        exit(1);
    }
}

static unsigned long sum_of(const unsigned char *bytes, size_t count)
{
    unsigned long sum = 0;

    for (size_t i = 0; i < count; i++)
        sum = sum * 31 + bytes[i];
    return sum;
}

int main(int argc, char **argv)
{
    static unsigned char bytes[BYTES], out[ROWS * sizeof(cl_int)];
    const char *source = text;
    cl_platform_id platform;
    cl_device_id device;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_program program;
    cl_context context;
    cl_mem buffer, sums;
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
    kernel = clCreateKernel(program, "go", &err);
    check(err, "kernel");
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 2654435761u >> 13);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                            sizeof bytes, bytes, &err);
    check(err, "buffer");
    sums = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof out,
                          out, &err);
    check(err, "buffer");
    check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), "argument");
    check(clSetKernelArg(kernel, 3, sizeof sums, &sums), "argument");
    for (int a = 1; a < argc; a++) {
        char *at;
        cl_ulong offset = strtoul(argv[a], &at, 10), stride = strtoul(at + 1, &at, 10);
        size_t rows = *at ? strtoul(at + 1, NULL, 10) : ROWS;

        check(clSetKernelArg(kernel, 1, sizeof offset, &offset), "argument");
        check(clSetKernelArg(kernel, 2, sizeof stride, &stride), "argument");
        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &rows, NULL, 0, NULL, NULL),
              "launch");
        check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof bytes, bytes, 0, NULL,
                                  NULL),
              "read");
        check(
            clEnqueueReadBuffer(queue, sums, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL),
            "read");
        printf("%s %lx %lx\n", argv[a], sum_of(bytes, sizeof bytes),
               sum_of(out, sizeof out));
    }
    clReleaseKernel(kernel);
    clReleaseMemObject(buffer);
    clReleaseMemObject(sums);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
