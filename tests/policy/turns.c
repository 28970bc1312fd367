/* SPDX-License-Identifier: MIT */
/* policy_turns apart|shared|kernels|many|burst ROUNDS FIRST SECOND [sums]: one kernel object on two devices of one context by
 * turns, in each round FIRST launches on the first and SECOND on the second; on a buffer each (apart), or on one
 * (shared). kernels: two kernels on one device and one buffer instead. many: in each round 64 buffers, one launch each on a
 * quarter of it, on the first device. burst: ROUNDS launches on the first device, which are waited for at the end only;
 * and nothing is released.
 * sums: compilers may contract what the kernel adds. Over the fake driver, whose time is virtual. Prints what all of it
 * took, and the last launch on each device, or of each kernel, in microseconds. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

enum { ITEMS = 1 << 14, BYTES = ITEMS * 32, MEMS = 64 };

#define TEXT(adds)                                                                       \
    "typedef struct { float x, y; int n, rest[5]; } particle;\n"                         \
    "//DL: AoS: p[n]\n"                                                                  \
    "__kernel void turn(__global particle *p, int n)\n"                                  \
    "{ int i = get_global_id(0); p[i].x += " adds "; }\n"                                \
    "//DL: AoS: p[n]\n"                                                                  \
    "__kernel void back(__global particle *p, int n)\n"                                  \
    "{ int i = get_global_id(0); p[i].y = p[i].x; }\n"
static const char *text = TEXT("p[i].y");

static cl_device_id devices[2];
static cl_context context;
static cl_command_queue queues[2];
static cl_kernel kernels[2];
static cl_ulong last_ns[2];
static bool many, burst;
static int burst_left;

#define must(err) must_at(err, __LINE__)
static void must_at(cl_int err, int line)
{
    if (err == CL_SUCCESS)
        return;
    printf("line %d: %d\n", line, err);
    exit(1);
}

static cl_ulong time_of(cl_event event, cl_profiling_info what)
{
    cl_ulong ns = 0;

    must(clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL));
    return ns;
}

static void launch(int which, bool by_kernel, cl_mem mem)
{
    cl_kernel kernel = kernels[by_kernel ? which : 0];
    cl_command_queue queue = queues[by_kernel ? 0 : which];
    const size_t global = many ? ITEMS / 4 : ITEMS;
    const cl_int n = ITEMS;
    cl_event event;

    must(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    must(clSetKernelArg(kernel, 1, sizeof n, &n));
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    if (!burst || --burst_left == 0) {
        must(clFinish(queue));
        last_ns[which] = time_of(event, CL_PROFILING_COMMAND_END) -
                         time_of(event, CL_PROFILING_COMMAND_START);
    }
    must(clReleaseEvent(event));
}

/* The virtual time. */
static cl_ulong now_ns(void)
{
    cl_event event;
    cl_ulong ns;

    must(clEnqueueMarkerWithWaitList(queues[0], 0, NULL, &event));
    must(clFinish(queues[0]));
    ns = time_of(event, CL_PROFILING_COMMAND_END);
    must(clReleaseEvent(event));
    return ns;
}

static void open_all(void)
{
    const cl_queue_properties profiled[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_PROFILING_ENABLE, 0};
    cl_platform_id platform;
    cl_program program;
    cl_uint count = 0;
    cl_int err;

    must(clGetPlatformIDs(1, &platform, NULL));
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
    must(count == 2 ? CL_SUCCESS : CL_DEVICE_NOT_FOUND);
    context = clCreateContext(NULL, 2, devices, NULL, NULL, &err);
    must(err);
    for (int q = 0; q < 2; q++) {
        queues[q] =
            clCreateCommandQueueWithProperties(context, devices[q], profiled, &err);
        must(err);
    }
    program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    must(err);
    must(clBuildProgram(program, 2, devices, "", NULL, NULL));
    for (int k = 0; k < 2; k++) {
        kernels[k] = clCreateKernel(program, k ? "back" : "turn", &err);
        must(err);
    }
    must(clReleaseProgram(program));
}

int main(int argc, char **argv)
{
    cl_mem mems[MEMS];
    cl_ulong begin_ns;
    bool by_kernel;
    int mem_count;
    cl_int err;

    if (argc < 5)
        return 2;
    by_kernel = strcmp(argv[1], "kernels") == 0;
    many = strcmp(argv[1], "many") == 0;
    burst = strcmp(argv[1], "burst") == 0;
    burst_left = atoi(argv[2]) * (atoi(argv[3]) + atoi(argv[4]));
    mem_count = many ? MEMS : 2;
    if (argc > 5)
        text = TEXT("2.5f * p[i].y");
    open_all();
    for (int m = 0; m < mem_count; m++) {
        mems[m] = clCreateBuffer(context, CL_MEM_READ_WRITE, BYTES, NULL, &err);
        must(err);
    }
    begin_ns = now_ns();
    for (int round = atoi(argv[2]); round > 0; round--) {
        for (int m = 0; many && m < mem_count; m++)
            launch(0, false, mems[m]);
        for (int q = 0; q < 2 && !many; q++)
            for (int i = atoi(argv[3 + q]); i > 0; i--)
                launch(q, by_kernel, mems[strcmp(argv[1], "apart") == 0 ? q : 0]);
    }
    printf("%lu %lu %lu\n", (now_ns() - begin_ns) / 1000, last_ns[0] / 1000,
           last_ns[1] / 1000);
    if (burst)
        return 0;
    for (int m = 0; m < mem_count; m++)
        must(clReleaseMemObject(mems[m]));
    for (int k = 0; k < 2; k++)
        must(clReleaseKernel(kernels[k]));
    for (int q = 0; q < 2; q++)
        must(clReleaseCommandQueue(queues[q]));
    must(clReleaseContext(context));
    return 0;
}
