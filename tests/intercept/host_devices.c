/* SPDX-License-Identifier: MIT */
/* host_devices SEED COMMANDS MARKS: random commands on buffers and sub-buffers of one
 * context, on queues of two devices, over the fake driver. Before each command a line "#
 * KIND queue#N" is appended to the file MARKS, which is the driver's log: what the driver
 * is asked between two lines is for one command. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/common/random_numbers.h"

#include "host_tiles.h"

enum { MEMS = 3, SUB_ORIGIN = 384, PART = 60 };

static const char *const text =
    "typedef struct { float x, y; int n; } particle;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void fake_step(__global particle *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n"
    "__kernel void fake_add_one(__global int *a) { a[get_global_id(0)] += 1; }\n";

static uint64_t state;
static cl_command_queue queues[2];
static cl_mem mems[MEMS], subs[MEMS];
static cl_kernel step_kernel, plain_kernel;
static unsigned char content[BYTES];
static const char *marks;

void must_at(cl_int err, const char *file, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("%s, line %d: %d\n", file, line, err);
    exit(1);
}

static unsigned pick(unsigned below)
{
    return random_choice(&state, below);
}

static void mark(const char *kind, unsigned queue_number)
{
    FILE *out = fopen(marks, "a");

    must(out ? CL_SUCCESS : CL_INVALID_VALUE);
    fprintf(out, "# %s queue#%u\n", kind, queue_number + 1);
    fclose(out);
}

static void run(unsigned q, cl_kernel kernel, cl_mem mem)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;

    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    if (kernel == step_kernel)
        must(clSetKernelArg(kernel, 1, sizeof n, &n));
    must(
        clEnqueueNDRangeKernel(queues[q], kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void transfer(unsigned q, cl_mem mem)
{
    const bool whole = pick(3) == 0;
    const size_t offset = whole ? 0 : pick(BYTES - PART), count = whole ? BYTES : PART;
    void *at;

    switch (pick(3)) {
    case 0:
        must(clEnqueueReadBuffer(queues[q], mem, CL_TRUE, offset, count, content, 0, NULL,
                                 NULL));
        break;
    case 1:
        must(clEnqueueWriteBuffer(queues[q], mem, CL_TRUE, offset, count, content, 0,
                                  NULL, NULL));
        break;
    default:
        MADE(at, clEnqueueMapBuffer(queues[q], mem, CL_TRUE,
                                    pick(2) ? CL_MAP_READ : CL_MAP_WRITE, offset, count,
                                    0, NULL, NULL, &made));
        must(clEnqueueUnmapMemObject(queues[q], mem, at, 0, NULL, NULL));
    }
}

static void copy(unsigned q, unsigned from, unsigned to)
{
    const bool whole = pick(2);

    mark("copy", q);
    must(clEnqueueCopyBuffer(queues[q], mems[from], mems[to], whole ? 0 : 12,
                             whole ? 0 : 24, whole ? BYTES : PART, 0, NULL, NULL));
}

static void command(void)
{
    const unsigned q = pick(2), m = pick(MEMS);
    const unsigned char pattern = 7;

    switch (pick(9)) {
    case 0:
    case 1:
    case 2:
        mark("launch", q);
        run(q, step_kernel, mems[m]);
        break;
    case 3:
        mark("launch", q);
        run(q, step_kernel, subs[m]);
        break;
    case 4:
        mark("launch", q);
        run(q, plain_kernel, mems[m]);
        break;
    case 5:
        copy(q, m, (m + 1 + pick(MEMS - 1)) % MEMS);
        break;
    case 6:
        mark("fill", q);
        must(clEnqueueFillBuffer(queues[q], mems[m], &pattern, 1, 12, PART, 0, NULL,
                                 NULL));
        break;
    case 7:
        mark("migrate", q);
        must(clEnqueueMigrateMemObjects(queues[q], 1, &mems[m],
                                        pick(2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0, 0, NULL,
                                        NULL));
        break;
    default:
        mark("transfer", q);
        transfer(q, mems[m]);
    }
    /* One command after the other, as the program has to see to. */
    must(clFinish(queues[q]));
}

int main(int argc, char **argv)
{
    const cl_buffer_region region = {SUB_ORIGIN, BYTES - SUB_ORIGIN};
    cl_platform_id platform_id;
    cl_device_id devices[2];
    cl_context ctx;
    cl_program built;
    cl_uint count = 0;

    if (argc != 4)
        return 2;
    state = (uint64_t)atoi(argv[1]) * 0x9E3779B97F4A7C15u + 1;
    marks = argv[3];
    must(clGetPlatformIDs(1, &platform_id, NULL));
    must(clGetDeviceIDs(platform_id, CL_DEVICE_TYPE_ALL, 2, devices, &count));
    must(count == 2 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
    MADE(ctx, clCreateContext(NULL, 2, devices, NULL, NULL, &made));
    for (int q = 0; q < 2; q++)
        MADE(queues[q], clCreateCommandQueueWithProperties(ctx, devices[q], NULL, &made));
    MADE(built, clCreateProgramWithSource(ctx, 1, (const char **)&text, NULL, &made));
    must(clBuildProgram(built, 2, devices, "", NULL, NULL));
    MADE(step_kernel, clCreateKernel(built, "fake_step", &made));
    MADE(plain_kernel, clCreateKernel(built, "fake_add_one", &made));
    for (int m = 0; m < MEMS; m++) {
        MADE(mems[m], clCreateBuffer(ctx, CL_MEM_READ_WRITE, BYTES, NULL, &made));
        MADE(subs[m],
             clCreateSubBuffer(mems[m], 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &made));
    }
    for (int i = atoi(argv[2]); i > 0; i--)
        command();
    mark("end", 0);
    for (int m = 0; m < MEMS; m++) {
        must(clReleaseMemObject(subs[m]));
        must(clReleaseMemObject(mems[m]));
    }
    must(clReleaseKernel(step_kernel));
    must(clReleaseKernel(plain_kernel));
    must(clReleaseProgram(built));
    must(clReleaseCommandQueue(queues[0]));
    must(clReleaseCommandQueue(queues[1]));
    must(clReleaseContext(ctx));
    puts("done");
    return 0;
}
