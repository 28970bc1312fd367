/* SPDX-License-Identifier: MIT */
/* The cases of host_tiles: commands recorded now and run later, and kernels launched by
 * address. */
#include "host_tiles.h"

/* ---- commands recorded now and run later ---- */

static void *recording(void)
{
    void *(*create)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
    void *commands;

    GET(create, "clCreateCommandBufferKHR");
    MADE(commands, create(1, &queue, NULL, &made));
    return commands;
}

static void recording_ends(void *commands)
{
    cl_int (*release)(void *);

    GET(release, "clReleaseCommandBufferKHR");
    must(release(commands));
}

static void recorded_copy(void)
{
    cl_int (*copy)(void *, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    void *commands;

    open_all();
    step_on(queue, step, a);
    commands = recording();
    GET(copy, "clCommandCopyBufferKHR");
    must(copy(commands, NULL, a, b, 0, 0, BYTES, 0, NULL, NULL, NULL));
    step_on(queue, step, a);
    recording_ends(commands);
}

static void recorded_rect(void)
{
    cl_int (*rect)(void *, cl_command_queue, cl_mem, cl_mem, const size_t *,
                   const size_t *, const size_t *, size_t, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    const size_t zero[3] = {0, 0, 0}, region[3] = {4, 2, 1};
    void *commands;

    open_all();
    step_on(queue, step, b);
    commands = recording();
    GET(rect, "clCommandCopyBufferRectKHR");
    must(rect(commands, NULL, a, b, zero, zero, region, 8, 16, 8, 16, 0, NULL, NULL,
              NULL));
    step_on(queue, step, b);
    recording_ends(commands);
}

static void recorded_fill(void)
{
    cl_int (*fill)(void *, cl_command_queue, cl_mem, const void *, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    const int five = 5;
    void *commands;

    open_all();
    step_on(queue, step, a);
    commands = recording();
    GET(fill, "clCommandFillBufferKHR");
    must(fill(commands, NULL, a, &five, sizeof five, 0, 8, 0, NULL, NULL, NULL));
    step_on(queue, step, a);
    recording_ends(commands);
}

static void recorded_kernel(void)
{
    cl_int (*ndrange)(void *, cl_command_queue, const void *, cl_kernel, cl_uint,
                      const size_t *, const size_t *, const size_t *, cl_uint,
                      const cl_uint *, cl_uint *, void *);
    const size_t global = ITEMS;
    void *commands;

    open_all();
    must(clSetKernelArg(plain, 0, sizeof a, &a));
    step_on(queue, step, a);
    commands = recording();
    GET(ndrange, "clCommandNDRangeKernelKHR");
    must(ndrange(commands, NULL, NULL, plain, 1, NULL, &global, NULL, 0, NULL, NULL,
                 NULL));
    step_on(queue, step, a);
    recording_ends(commands);
}

static void recorded_commands_change(void)
{
    cl_int (*update)(void *, const void *);
    void *commands;
    int unused = 0;

    open_all();
    step_on(queue, step, a);
    commands = recording();
    GET(update, "clUpdateMutableCommandsKHR");
    must(update(commands, &unused));
    step_on(queue, step, b);
    recording_ends(commands);
}

/* What the recorded command waits for may be on its way on another queue. */
static void recorded_for_another_queue(void)
{
    cl_int (*fill)(void *, cl_command_queue, cl_mem, const void *, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    cl_int (*enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                      cl_event *);
    cl_int (*finalize)(void *);
    cl_command_queue other;
    const int five = 5;
    cl_event user;
    void *commands;

    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    user = hold_back();
    step_on(queue, step, a);
    commands = recording();
    GET(fill, "clCommandFillBufferKHR");
    GET(finalize, "clFinalizeCommandBufferKHR");
    GET(enqueue, "clEnqueueCommandBufferKHR");
    must(fill(commands, NULL, a, &five, sizeof five, 0, 8, 0, NULL, NULL, NULL));
    must(finalize(commands));
    must(enqueue(1, &other, commands, 0, NULL, NULL));
    let_go(user);
    must(clFlush(queue));
    must(clFinish(other));
    must(clReleaseCommandQueue(other));
    recording_ends(commands);
}

/* A command buffer for `on` that fills a part of a. */
static void *recorded_fill_for(cl_command_queue on)
{
    void *(*create)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
    cl_int (*fill)(void *, cl_command_queue, cl_mem, const void *, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    cl_int (*finalize)(void *);
    const int five = 5;
    void *commands;

    GET(create, "clCreateCommandBufferKHR");
    GET(fill, "clCommandFillBufferKHR");
    GET(finalize, "clFinalizeCommandBufferKHR");
    MADE(commands, create(1, &on, NULL, &made));
    must(fill(commands, NULL, a, &five, sizeof five, 0, 8, 0, NULL, NULL, NULL));
    must(finalize(commands));
    return commands;
}

/* A command buffer for `on` that copies a to b. */
static void *recorded_copy_for(cl_command_queue on)
{
    void *(*create)(cl_uint, const cl_command_queue *, const cl_ulong *, cl_int *);
    cl_int (*copy)(void *, cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t,
                   cl_uint, const cl_uint *, cl_uint *, void *);
    cl_int (*finalize)(void *);
    void *commands;

    GET(create, "clCreateCommandBufferKHR");
    GET(copy, "clCommandCopyBufferKHR");
    GET(finalize, "clFinalizeCommandBufferKHR");
    MADE(commands, create(1, &on, NULL, &made));
    must(copy(commands, NULL, a, b, 0, 0, BYTES, 0, NULL, NULL, NULL));
    must(finalize(commands));
    return commands;
}

static void enqueue_recorded(void *commands, cl_command_queue on)
{
    cl_int (*enqueue)(cl_uint, cl_command_queue *, void *, cl_uint, const cl_event *,
                      cl_event *);

    GET(enqueue, "clEnqueueCommandBufferKHR");
    must(enqueue(on ? 1 : 0, on ? &on : NULL, commands, 0, NULL, NULL));
}

/* Enqueued without naming a queue; the program can't be kept waiting, for it is what the
 * bringing back waits for. */
static void recorded_for_its_own_queue(void)
{
    cl_command_queue other;
    cl_event user;
    void *commands;

    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    user = hold_back();
    step_on(queue, step, a);
    commands = recorded_fill_for(other);
    enqueue_recorded(commands, NULL);
    let_go(user);
    must(clFinish(queue));
    must(clFinish(other));
    must(clReleaseCommandQueue(other));
    recording_ends(commands);
}

/* The queue that brings the buffer back is the only one, until the recorded commands get
 * another. */
static void recorded_for_a_queue_made_later(void)
{
    cl_command_queue other;
    cl_event user;
    void *commands;

    open_all();
    step_on(queue, step, a);
    commands = recorded_fill_for(queue);
    user = hold_back();
    other = make_queue(0);
    enqueue_recorded(commands, other);
    let_go(user);
    must(clFlush(queue));
    must(clFinish(other));
    must(clFinish(queue));
    must(clReleaseCommandQueue(other));
    recording_ends(commands);
}

/* A read has brought the buffer back on a queue that the program flushes much later; it
 * reads the buffer by recorded commands, which need not wait for the other read. */
static void recorded_behind_a_queue_not_flushed(void)
{
    unsigned char bytes[BYTES];
    cl_command_queue other;
    void *commands;

    open_all();
    other = make_queue(0);
    step_on(queue, step, a);
    must(clFinish(queue));
    must(clEnqueueReadBuffer(queue, a, CL_FALSE, 0, BYTES, bytes, 0, NULL, NULL));
    commands = recorded_copy_for(other);
    enqueue_recorded(commands, other);
    must(clFinish(other));
    must(clFinish(queue));
    must(clReleaseCommandQueue(other));
    recording_ends(commands);
}

/* What one context has to wait for is none of another's business. */
static void recorded_in_two_contexts(void)
{
    cl_context first_context;
    cl_command_queue first_queue, first_other, other;
    cl_program first_program;
    cl_kernel first_step, first_plain;
    cl_mem first_a, first_b;
    cl_event user, second_user;
    void *first_commands, *commands;

    open_all();
    MADE(first_other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    user = hold_back();
    step_on(queue, step, a);
    first_commands = recorded_fill_for(queue);
    first_context = context;
    first_queue = queue;
    first_program = program;
    first_step = step;
    first_plain = plain;
    first_a = a;
    first_b = b;
    open_all();
    MADE(other, clCreateCommandQueueWithProperties(context, device, NULL, &made));
    second_user = hold_back();
    step_on(queue, step, a);
    commands = recorded_fill_for(queue);
    enqueue_recorded(commands, other);
    let_go(second_user);
    must(clFinish(queue));
    must(clFinish(other));
    must(clReleaseCommandQueue(other));
    recording_ends(commands);
    close_all();
    context = first_context;
    queue = first_queue;
    program = first_program;
    step = first_step;
    plain = first_plain;
    a = first_a;
    b = first_b;
    let_go(user);
    must(clFinish(queue));
    must(clReleaseCommandQueue(first_other));
    recording_ends(first_commands);
}

static void kernel_by_address(void)
{
    cl_int (*count)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                    const size_t *, cl_uint, const cl_event *, cl_event *);
    const size_t one = 1;

    open_all();
    must(clSetKernelArg(plain, 0, sizeof a, &a));
    step_on(queue, step, a);
    GET(count, "clEnqueueNDCountKernelINTEL");
    must(count(queue, plain, 1, NULL, &one, NULL, 0, NULL, NULL));
}

const struct tiles_case tiles_recorded[] = {
    TILES_CASE(recorded_copy),
    TILES_CASE(recorded_rect),
    TILES_CASE(recorded_fill),
    TILES_CASE(recorded_kernel),
    TILES_CASE(recorded_commands_change),
    TILES_CASE(recorded_for_another_queue),
    TILES_CASE(recorded_for_its_own_queue),
    TILES_CASE(recorded_for_a_queue_made_later),
    TILES_CASE(recorded_behind_a_queue_not_flushed),
    TILES_CASE(recorded_in_two_contexts),
    TILES_CASE(kernel_by_address),
    {NULL, NULL},
};
