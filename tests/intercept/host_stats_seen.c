/* SPDX-License-Identifier: MIT */
/* host_stats_seen [all]: prints all that a program can see of whether its queues have
 * profiling, and of what DL keeps of its objects, natively and with DL's statistics the
 * same. Queues are made in every way, with profiling and without. */
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <stdio.h>
#include <string.h>

#include <CL/cl.h>
#include <CL/cl_ext.h>

enum { INTS = 96, WAYS = 7 };

static const char *const source =
    "typedef struct { float x, y; int n; } particle;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void fake_step(__global particle *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n";

/* Also what drivers lack (loaders then jump to where nothing is), and counts of
 * references: a driver's threads let go of events when they like, also while DL counts
 * what an object of its own adds. */
static int all;

static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_kernel kernel;

/* The queue of a way; the ways with profiling are odd. */
static cl_command_queue make_queue(int way)
{
    static const cl_queue_properties lists[WAYS][5] = {
        {0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0},
        {CL_QUEUE_PROPERTIES, 0, 0},
        {CL_QUEUE_PROPERTIES,
         CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
        {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0},
    };
    cl_command_queue queue;
    cl_int err = 99;

    if (way >= 5)
        queue = clCreateCommandQueue(context, device,
                                     way == 5 ? CL_QUEUE_PROFILING_ENABLE : 0, &err);
    else
        queue = clCreateCommandQueueWithProperties(context, device, lists[way], &err);
    printf("queue %d: %s, %d\n", way, queue ? "made" : "none", err);
    return queue;
}

static void show_queue(cl_command_queue queue)
{
    cl_command_queue_properties bits = 99;
    cl_queue_properties list[8];
    size_t bytes = 99, exact;
    cl_uint count = 0;
    cl_int err;

    err = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof bits, &bits, &bytes);
    printf("properties %d: %lu, %zu bytes\n", err, (unsigned long)bits, bytes);
    memset(list, 0x55, sizeof list);
    bytes = 99;
    err = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, sizeof list, list,
                                &bytes);
    printf("list %d, %zu bytes:", err, bytes);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        printf(" %lx", (unsigned long)list[i]);
    exact = err == CL_SUCCESS ? bytes : 0;
    bytes = 99;
    err = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &bytes);
    printf("\nlength %d: %zu;", err, bytes);
    err = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, exact, list, NULL);
    printf(" exactly: %d;", err);
    if (exact)
        printf(" too short: %d", clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY,
                                                       exact - 1, list, NULL));
    if (all)
        clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count,
                              NULL);
    printf("\nreferences %u\n", count);
}

static void show_event(const char *when, cl_event event)
{
    cl_ulong times[5] = {0};
    cl_uint count = 0;
    size_t bytes = 99;
    cl_int errs[6];

    for (int t = 0; t < 5; t++)
        errs[t] = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED + (cl_uint)t,
                                          sizeof times[t], &times[t], NULL);
    errs[5] = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, NULL, &bytes);
    if (all)
        clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL);
    printf("%s: %d %d %d %d %d, length %d, times %s, references %u\n", when, errs[0],
           errs[1], errs[2], errs[3], errs[4], errs[5],
           times[0] || times[3] ? "given" : "none", count);
}

/* A command buffer is for queues of some properties only. */
static void show_recording(cl_command_queue queue)
{
    void *(*create)(cl_uint, const cl_command_queue *, const void *, cl_int *);
    void *address =
        clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandBufferKHR");
    cl_int err = 99;

    memcpy(&create, &address, sizeof create);
    if (create)
        create(1, &queue, NULL, &err);
    printf("command buffer %d\n", err);
}

/* Of OpenCL 1.0. */
static void show_change(cl_command_queue queue)
{
    cl_command_queue_properties before = 99;
    cl_int err = clSetCommandQueueProperty(queue, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                           CL_FALSE, &before);

    printf("change %d: before %lu\n", err, (unsigned long)before);
    before = 99;
    err = clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &before);
    printf("profiling on %d: before %lu\n", err, (unsigned long)before);
    if (err == CL_SUCCESS)
        show_queue(queue);
}

static void show_way(int way)
{
    const size_t global = INTS / 3;
    const cl_int n = INTS / 3;
    cl_command_queue queue = make_queue(way), other;
    int ints[INTS] = {0};
    cl_event event = NULL, late = NULL;
    cl_int err;
    cl_mem mem;

    if (!queue)
        return;
    show_queue(queue);
    show_recording(queue);
    mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof ints, ints, &err);
    clSetKernelArg(kernel, 0, sizeof mem, &mem);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event);
    if (all) /* what DL has of it as long as it is not done with it */
        show_event("launch, just made", event);
    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof ints, ints, 1, &event, &late);
    clFinish(queue);
    show_event("launch", event);
    show_event("read", late);
    if (all)
        show_change(queue);
    /* Events go on being of a queue that the program has let go of, whatever comes after
     * it. */
    clReleaseCommandQueue(queue);
    show_event("launch, after its queue", event);
    other = make_queue(way ^ 1);
    show_event("launch, beside another queue", event);
    if (other)
        clReleaseCommandQueue(other);
    clReleaseEvent(event);
    clReleaseEvent(late);
    clReleaseMemObject(mem);
}

int main(int argc, char **argv)
{
    cl_command_queue_properties bits = 0;
    cl_program program;
    cl_uint count = 0;
    cl_int err;

    (void)argv;
    all = argc > 1;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    clGetDeviceInfo(device, CL_DEVICE_QUEUE_PROPERTIES, sizeof bits, &bits, NULL);
    printf("device's queues %lu\n", (unsigned long)bits);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &err);
    if (clBuildProgram(program, 1, &device, "", NULL, NULL) != CL_SUCCESS)
        return 1;
    kernel = clCreateKernel(program, "fake_step", &err);
    for (int way = 0; way < WAYS; way++)
        show_way(way);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    if (all)
        clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL);
    printf("context references %u\n", count);
    clReleaseContext(context);
    return 0;
}
