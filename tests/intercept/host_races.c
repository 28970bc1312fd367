/* SPDX-License-Identifier: MIT */
/* Threads that share a context, a queue and buffers, and do everything that OpenCL lets
 * threads do at once, with an annotated program: for a thread sanitizer to watch. Only
 * the driver's errors count here, what the commands do is nobody's: built over the fake
 * driver, which keeps no data in tiles. argv[1]: rounds of each thread. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include "dl.h"

enum { THREADS = 4, ITEMS = 77, BYTES = 1024 };

static const char source[] =
    "typedef struct { float x, y; int n; } particle;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void fake_step(__global particle *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].x += p[i].y; p[i].n++; } }\n"
    "//DL: AoS: p[n]\n"
    "__kernel void look(__global const particle *p, __global float *q, int n)\n"
    "{ int i = get_global_id(0); if (i < n) q[i] = p[i].x; }\n"
    "__kernel void fake_add_one(__global int *a) { a[get_global_id(0)] += 1; }\n";

static cl_device_id device;
static cl_context context;
static cl_command_queue shared_queue;
static cl_program program;
static cl_mem shared;
static cl_kernel shared_step; /* its arguments are set before the threads start */
static unsigned rounds = 40;
static atomic_uint errors;

static cl_int check_at(cl_int err, int line)
{
    if (err != CL_SUCCESS) {
        printf("line %d: %d\n", line, err);
        atomic_fetch_add(&errors, 1);
    }
    return err;
}
#define check(err) check_at(err, __LINE__)

/* What one thread has for itself. */
struct own {
    pthread_t thread;
    unsigned seed;
    cl_command_queue queue;
    cl_kernel step, look, plain;
    cl_mem buffer, other;
};

static unsigned pick(struct own *own, unsigned below)
{
    own->seed = own->seed * 1103515245u + 12345u;
    return (own->seed >> 16) % below;
}

static cl_mem make_buffer(cl_mem_flags flags)
{
    cl_int err;
    cl_mem made = clCreateBuffer(context, flags, BYTES, NULL, &err);

    check(err);
    return made;
}

static cl_kernel make_kernel(cl_program of, const char *name)
{
    cl_int err;
    cl_kernel made = clCreateKernel(of, name, &err);

    check(err);
    return made;
}

static void launch(struct own *own, cl_command_queue queue, cl_kernel kernel, cl_mem mem)
{
    const size_t global = ITEMS;
    const cl_int n = ITEMS;

    check(clSetKernelArg(kernel, 0, sizeof mem, &mem));
    if (kernel == own->look)
        check(clSetKernelArg(kernel, 1, sizeof own->other, &own->other));
    if (kernel != own->plain)
        check(clSetKernelArg(kernel, kernel == own->look ? 2 : 1, sizeof n, &n));
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static void map(struct own *own, cl_command_queue queue, cl_mem mem)
{
    cl_int err;
    void *mapped = clEnqueueMapBuffer(queue, mem, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
                                      NULL, &err);

    (void)own;
    check(err);
    if (mapped)
        check(clEnqueueUnmapMemObject(queue, mem, mapped, 0, NULL, NULL));
}

static void sub_buffer(struct own *own)
{
    const cl_buffer_region region = {512, 256};
    cl_mem sub;
    cl_int err;

    sub = clCreateSubBuffer(own->buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                            &region, &err);
    if (check(err) == CL_SUCCESS)
        check(clReleaseMemObject(sub));
}

static void build_anew(void)
{
    const char *text = source;
    cl_program built;
    cl_int err;

    built = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    if (check(err) != CL_SUCCESS)
        return;
    check(clBuildProgram(built, 1, &device, "", NULL, NULL));
    check(clReleaseKernel(make_kernel(built, "fake_step")));
    check(clReleaseProgram(built));
}

static void ask(struct own *own)
{
    cl_uint count;
    cl_command_queue_properties properties;

    check(clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count,
                           NULL));
    check(clGetCommandQueueInfo(own->queue, CL_QUEUE_PROPERTIES, sizeof properties,
                                &properties, NULL));
}

static void replace(struct own *own)
{
    cl_int err;

    check(clReleaseMemObject(own->buffer));
    own->buffer = make_buffer(CL_MEM_READ_WRITE);
    check(clReleaseKernel(own->step));
    own->step = make_kernel(program, "fake_step");
    check(clFinish(own->queue));
    check(clReleaseCommandQueue(own->queue));
    own->queue = clCreateCommandQueue(context, device, 0, &err);
    check(err);
}

/* The thread's own buffer in another layout, and a look at everybody's: granted by DL
 * alone. */
static void take_part(struct own *own, cl_command_queue queue)
{
    const cl_field_dl fields[] = {{0, 4}, {4, 4}, {8, 4}};
    cl_buffer_layout_dl layout = {.kind = pick(own, 4), .struct_bytes = 12}, now;

    check(dl_buffer_get_layout(shared, &now));
    check(
        dl_buffer_enqueue_marshal(queue, own->buffer, &layout, 3, fields, 0, NULL, NULL));
    layout.kind = pick(own, 2) ? CL_LAYOUT_SOA_DL : CL_LAYOUT_AOS_DL;
    layout.tile_structs = 0;
    check(dl_buffer_set_host_layout(own->buffer, &layout, 3, fields));
}

static void transfer(struct own *own, cl_command_queue queue, cl_mem mem, unsigned kind)
{
    unsigned char bytes[BYTES];

    memset(bytes, 1, sizeof bytes);
    switch (kind) {
    case 0:
        check(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
        break;
    case 1:
        check(clEnqueueReadBuffer(queue, mem, CL_TRUE, 100, 50, bytes, 0, NULL, NULL));
        break;
    case 2:
        check(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 100, 50, bytes, 0, NULL, NULL));
        break;
    case 3:
        check(clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, BYTES, bytes, 0, NULL, NULL));
        break;
    default:
        check(clEnqueueCopyBuffer(queue, mem, own->other, 0, 0, BYTES, 0, NULL, NULL));
    }
}

static void clone_step(struct own *own)
{
    cl_int err;
    cl_kernel made = clCloneKernel(own->step, &err);

    if (check(err) == CL_SUCCESS)
        check(clReleaseKernel(made));
}

/* A kernel whose arguments all threads share. */
static void launch_shared(cl_command_queue queue)
{
    const size_t global = ITEMS;

    check(clEnqueueNDRangeKernel(queue, shared_step, 1, NULL, &global, NULL, 0, NULL,
                                 NULL));
}

static void retain_and_release(void)
{
    check(clRetainMemObject(shared));
    check(clRetainKernel(shared_step));
    check(clRetainProgram(program));
    check(clRetainCommandQueue(shared_queue));
    check(clReleaseCommandQueue(shared_queue));
    check(clReleaseProgram(program));
    check(clReleaseKernel(shared_step));
    check(clReleaseMemObject(shared));
}

static void step(struct own *own)
{
    cl_command_queue queue = pick(own, 2) ? shared_queue : own->queue;
    cl_mem mem = pick(own, 2) ? shared : own->buffer;
    unsigned kind = pick(own, 19);

    switch (kind) {
    case 0:
    case 1:
    case 2:
        launch(own, queue, own->step, mem);
        break;
    case 3:
        launch(own, queue, own->look, mem);
        break;
    case 4:
        launch(own, queue, own->plain, mem);
        break;
    case 10:
        map(own, queue, mem);
        break;
    case 11:
        sub_buffer(own);
        break;
    case 12:
        replace(own);
        break;
    case 13:
        clone_step(own);
        break;
    case 14:
        ask(own);
        break;
    case 15:
        launch_shared(queue);
        break;
    case 16:
        retain_and_release();
        break;
    case 17:
        take_part(own, queue);
        break;
    case 18:
        if (pick(own, 4) == 0)
            build_anew();
        check(clFlush(queue));
        break;
    default:
        transfer(own, queue, mem, kind - 5);
    }
}

static void *run(void *argument)
{
    struct own *own = argument;
    cl_int err;

    own->queue = clCreateCommandQueue(context, device, 0, &err);
    check(err);
    own->step = make_kernel(program, "fake_step");
    own->look = make_kernel(program, "look");
    own->plain = make_kernel(program, "fake_add_one");
    own->buffer = make_buffer(CL_MEM_READ_WRITE);
    own->other = make_buffer(CL_MEM_READ_WRITE);
    check(clRetainContext(context));
    for (unsigned i = 0; i < rounds; i++)
        step(own);
    check(clFinish(own->queue));
    check(clReleaseMemObject(own->buffer));
    check(clReleaseMemObject(own->other));
    check(clReleaseKernel(own->step));
    check(clReleaseKernel(own->look));
    check(clReleaseKernel(own->plain));
    check(clReleaseCommandQueue(own->queue));
    check(clReleaseContext(context));
    return NULL;
}

int main(int argc, char **argv)
{
    const char *text = source;
    struct own owns[THREADS];
    const cl_int n = ITEMS;
    cl_platform_id platform;
    cl_int err;

    if (argc > 1)
        rounds = (unsigned)atoi(argv[1]);
    check(clGetPlatformIDs(1, &platform, NULL));
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err);
    shared_queue = clCreateCommandQueue(context, device,
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
    check(err);
    program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    check(err);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL));
    shared = make_buffer(CL_MEM_READ_WRITE);
    shared_step = make_kernel(program, "fake_step");
    check(clSetKernelArg(shared_step, 0, sizeof shared, &shared));
    check(clSetKernelArg(shared_step, 1, sizeof n, &n));
    for (unsigned t = 0; t < THREADS; t++) {
        owns[t] = (struct own){.seed = t + 1};
        if (pthread_create(&owns[t].thread, NULL, run, &owns[t]) != 0)
            abort();
    }
    for (unsigned t = 0; t < THREADS; t++)
        pthread_join(owns[t].thread, NULL);
    check(clFinish(shared_queue));
    check(clReleaseKernel(shared_step));
    check(clReleaseMemObject(shared));
    check(clReleaseProgram(program));
    check(clReleaseCommandQueue(shared_queue));
    check(clReleaseContext(context));
    printf("%u errors\n", errors);
    return errors ? 1 : 0;
}
