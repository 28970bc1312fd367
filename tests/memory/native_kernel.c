/* SPDX-License-Identifier: MIT */
/* native_kernel host|device: launches that lie on their queue behind a command that ends
 * only when the program lets it, after they were enqueued: a native kernel, or a kernel
 * that looks at the host's memory. HELD of these, each finished before the next, then as
 * many behind nothing. Prints a sum.
 *
 * native_kernel beside: a read of some structs waits for such a command, on queues of
 * their own; a launch on others is finished meanwhile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/common/host.h"

enum { PARTICLES = 4096, FLOATS = 8, HELD = 3 };

static const char text[] =
    "typedef struct { float x, y, z, w, f[4]; } particle;\n"
    "__kernel void push(__global particle *p)\n"
    "{ size_t i = get_global_id(0); p[i].x += p[i].y; p[i].w = p[i].z * 2.0f; }\n"
    "//DL: AoS: p[4096]\n"
    "__kernel void pull(__global particle *p)\n"
    "{ size_t i = get_global_id(0); p[i].x -= p[i].y; }\n"
    "__kernel void hold(volatile __global int *gate) { while (!*gate) {} }\n";

static volatile cl_int gate;
static float particles[PARTICLES * FLOATS];

static void CL_CALLBACK hold(void *unused)
{
    (void)unused;
    while (!gate)
        usleep(100);
}

static void enqueue_hold(cl_command_queue queue, cl_event *event)
{
    char unused = 0;
    cl_int err = clEnqueueNativeKernel(queue, hold, &unused, sizeof unused, 0, NULL, NULL,
                                       0, NULL, event);

    if (err == CL_INVALID_OPERATION)
        exit(77); /* few devices run them */
    must(err);
}

struct world {
    cl_command_queue queue, reads, holds;
    cl_mem buffer, gate;
    cl_kernel push, pull, hold;
};

static void make_world(struct world *w)
{
    const struct host host = host_open_with(text);
    cl_int err;

    w->queue = host.queue;
    w->reads = host_queue(&host);
    w->holds = host_queue(&host);
    w->push = host_kernel(&host, "push");
    w->pull = host_kernel(&host, "pull");
    w->hold = host_kernel(&host, "hold");
    for (int i = 0; i < PARTICLES * FLOATS; i++)
        particles[i] = (float)(i % 1000);
    w->buffer = host_buffer(&host, particles, sizeof particles);
    w->gate = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, sizeof gate,
                             (void *)&gate, &err);
    must(err);
    must(clSetKernelArg(w->push, 0, sizeof w->buffer, &w->buffer));
    must(clSetKernelArg(w->pull, 0, sizeof w->buffer, &w->buffer));
    must(clSetKernelArg(w->hold, 0, sizeof w->gate, &w->gate));
}

static void launch_beside(const struct world *w)
{
    static float tail[FLOATS];
    const size_t count = PARTICLES / 2;
    cl_event held;

    enqueue_hold(w->holds, &held);
    must(clFlush(w->holds));
    must(clEnqueueReadBuffer(w->reads, w->buffer, CL_FALSE,
                             sizeof particles - sizeof tail, sizeof tail, tail, 1, &held,
                             NULL));
    must(clFlush(w->reads));
    must(clEnqueueNDRangeKernel(w->queue, w->pull, 1, NULL, &count, NULL, 0, NULL, NULL));
    must(clFinish(w->queue));
    gate = 1;
    must(clFinish(w->reads));
    must(clReleaseEvent(held));
}

int main(int argc, char **argv)
{
    const size_t count = PARTICLES, one = 1;
    struct world w;
    double sum = 0;

    make_world(&w);
    if (argc > 1 && strcmp(argv[1], "beside") == 0)
        launch_beside(&w);
    for (int step = 0; step < 2 * HELD; step++) {
        gate = step >= HELD;
        if (!gate && argc > 1 && strcmp(argv[1], "device") == 0)
            must(clEnqueueNDRangeKernel(w.queue, w.hold, 1, NULL, &one, NULL, 0, NULL,
                                        NULL));
        else if (!gate)
            enqueue_hold(w.queue, NULL);
        must(clFlush(w.queue));
        must(clEnqueueNDRangeKernel(w.queue, w.push, 1, NULL, &count, NULL, 0, NULL,
                                    NULL));
        gate = 1;
        must(clFinish(w.queue));
    }
    must(clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, 0, sizeof particles, particles,
                             0, NULL, NULL));
    for (int i = 0; i < PARTICLES * FLOATS; i++)
        sum += (i % 7 + 1) * particles[i];
    printf("%.0f\n", sum);
    return 0;
}
