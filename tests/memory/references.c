/* SPDX-License-Identifier: MIT */
/* references [FILE]: an ordinary program with an annotated kernel prints what the driver
 * says of the reference counts of its objects, after each of some steps. With a file,
 * such an output, it waits until each count is what it is there, for some seconds, since
 * drivers let go of what a command held when they like. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/common/host.h"

enum { ITEMS = 5000, BYTES = 32 * ITEMS, EVENTS = 4, TRIES = 4000 };

static const char *source =
    "typedef struct { int a, b, c, d; float e; int f[3]; } item;\n"
    "//DL: AoS: p[n]\n"
    "__kernel void one(__global item *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) { p[i].a += p[i].b; p[i].d ^= i; } }\n"
    "//DL: AoS: p[n], q[n]\n"
    "__kernel void two(__global item *p, __global const item *q, int n)\n"
    "{ int i = get_global_id(0); if (i < n) p[i].a += q[i].b; }\n"
    "__kernel void plain(__global int *p, int n)\n"
    "{ int i = get_global_id(0); if (i < n) p[i]++; }\n";

static struct host host;
static cl_command_queue second;
static cl_kernel one, two, plain;
static cl_mem p, q;
static cl_event events[EVENTS];
static int event_count;
static FILE *wanted;

static cl_uint count_of(int object)
{
    cl_uint n = 0;

    switch (object) {
    case 0:
        clGetContextInfo(host.context, CL_CONTEXT_REFERENCE_COUNT, sizeof n, &n, NULL);
        break;
    case 1:
        clGetCommandQueueInfo(host.queue, CL_QUEUE_REFERENCE_COUNT, sizeof n, &n, NULL);
        break;
    case 2:
        clGetProgramInfo(host.program, CL_PROGRAM_REFERENCE_COUNT, sizeof n, &n, NULL);
        break;
    case 3:
        clGetKernelInfo(one, CL_KERNEL_REFERENCE_COUNT, sizeof n, &n, NULL);
        break;
    case 4:
        clGetMemObjectInfo(p, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL);
        break;
    case 5:
        clGetMemObjectInfo(q, CL_MEM_REFERENCE_COUNT, sizeof n, &n, NULL);
        break;
    case 6:
        if (second)
            clGetCommandQueueInfo(second, CL_QUEUE_REFERENCE_COUNT, sizeof n, &n, NULL);
        break;
    default:
        if (object - 7 < event_count)
            clGetEventInfo(events[object - 7], CL_EVENT_REFERENCE_COUNT, sizeof n, &n,
                           NULL);
    }
    return n;
}

static void show(const char *step)
{
    bool differs = false;

    must(clFinish(host.queue));
    if (!wanted)
        usleep(100000);
    printf("%s:", step);
    if (wanted && fscanf(wanted, "%*[^:]:") == EOF)
        exit(1);
    for (int object = 0; object < 7 + EVENTS; object++) {
        cl_uint n = count_of(object), want = n;

        if (wanted && fscanf(wanted, "%u", &want) != 1)
            exit(1);
        for (int tries = 0; tries < TRIES && n != want; tries++) {
            usleep(1000);
            n = count_of(object);
        }
        printf(" %u", n);
        differs |= n != want;
    }
    printf("\n");
    if (differs)
        exit(1);
}

static void launch(cl_command_queue on, cl_kernel kernel, cl_event *event)
{
    const size_t global = ITEMS;

    must(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, NULL, 0, NULL, event));
}

int main(int argc, char **argv)
{
    static unsigned char data[BYTES];
    const cl_int n = ITEMS;
    void *mapped;
    cl_int err;

    wanted = argc > 1 ? fopen(argv[1], "r") : NULL;
    host = host_open_with(source);
    one = host_kernel(&host, "one");
    two = host_kernel(&host, "two");
    plain = host_kernel(&host, "plain");
    p = host_buffer(&host, data, BYTES);
    q = host_buffer(&host, data, BYTES);
    must(clSetKernelArg(one, 0, sizeof p, &p));
    must(clSetKernelArg(one, 1, sizeof n, &n));
    must(clSetKernelArg(two, 0, sizeof p, &p));
    must(clSetKernelArg(two, 1, sizeof q, &q));
    must(clSetKernelArg(two, 2, sizeof n, &n));
    must(clSetKernelArg(plain, 0, sizeof p, &p));
    must(clSetKernelArg(plain, 1, sizeof n, &n));
    show("made");
    for (int i = 0; i < 3; i++)
        launch(host.queue, one, NULL);
    show("launched");
    launch(host.queue, one, &events[event_count++]);
    show("launched with an event");
    launch(host.queue, two, &events[event_count++]);
    show("launched on two buffers");
    must(clEnqueueReadBuffer(host.queue, p, CL_TRUE, 32, 100, data, 0, NULL, NULL));
    must(clEnqueueWriteBuffer(host.queue, p, CL_TRUE, 32, 100, data, 0, NULL, NULL));
    must(clEnqueueWriteBuffer(host.queue, p, CL_TRUE, 0, BYTES, data, 0, NULL,
                              &events[event_count++]));
    show("written");
    launch(host.queue, one, NULL);
    mapped = clEnqueueMapBuffer(host.queue, p, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL,
                                NULL, &err);
    must(err);
    must(clEnqueueUnmapMemObject(host.queue, p, mapped, 0, NULL, NULL));
    launch(host.queue, one, NULL);
    must(clEnqueueCopyBuffer(host.queue, p, q, 0, 0, BYTES, 0, NULL, NULL));
    show("mapped and copied");
    launch(host.queue, plain, &events[event_count++]);
    show("launched as written");
    second = host_queue(&host);
    launch(second, one, NULL);
    must(clFinish(second));
    show("launched on another queue");
    launch(host.queue, one, NULL);
    for (int i = 0; i < event_count; i++)
        must(clReleaseEvent(events[i]));
    event_count = 0;
    show("events released");
    must(clReleaseCommandQueue(second));
    second = NULL;
    must(clReleaseMemObject(q));
    q = clCreateBuffer(host.context, 0, 64, NULL, &err);
    must(err);
    show("released");
    must(clReleaseMemObject(p));
    must(clReleaseMemObject(q));
    must(clReleaseKernel(plain));
    must(clReleaseKernel(two));
    must(clReleaseKernel(one));
    host_close(&host);
    return 0;
}
