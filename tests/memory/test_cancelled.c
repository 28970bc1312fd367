/* SPDX-License-Identifier: MIT */
/* Claim: a command that waits for an event which fails has not run, whatever it was meant
 * to do and however the buffer lay: all bytes are what they were, and the program goes
 * on. What waits for such a command's event has not run, either. */
#include "suite.h"
#include "world.h"

#include <string.h>

enum kind {
    STEP,
    STEP_OF_HALF,
    PLAIN,
    SHIFT_TO,
    SHIFT_FROM,
    TOTAL,
    WRITE,
    WRITE_PART,
    WRITE_RECT,
    FILL,
    FILL_PART,
    COPY_TO,
    COPY_FROM,
    COPY_PART,
    COPY_RECT,
    MIGRATE,
    READ,
    READ_RECT,
    MAP_TO_OVERWRITE,
    MAP_PART,
    MARKER,
    BARRIER,
    KINDS
};

enum { PART = 333, PART_BYTES = 500 };

static struct world w;
static cl_mem other; /* as large as the buffer, and also in tiles */
static unsigned char other_model[BUFFER_BYTES], host[BUFFER_BYTES];
static cl_command_queue queue; /* what is cancelled is enqueued here; never released: a
                                * driver may not live through that */

static bool is_tiled_other(int i)
{
    return i / KINDS % 2;
}

/* Not every driver's out-of-order queue outlives a command that failed, or the end of the
 * process. */
static cl_command_queue_properties order(int i)
{
    char name[256] = "";

    must(clGetPlatformInfo(w.platform, CL_PLATFORM_NAME, sizeof name, name, NULL));
    return i / KINDS / 2 == 1 && !strstr(name, "Intel")
               ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
               : 0;
}

/* One world for all cases, with buffers of each. */
static void begin(int i)
{
    cl_int err;

    if (!w.context)
        world_begin(&w);
    must(clReleaseMemObject(w.buffer));
    w.buffer = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              BUFFER_BYTES, w.model, &err);
    must(err);
    other = world_other(&w, other_model);
    world_step(&w);
    if (is_tiled_other(i)) {
        world_launch(&w, w.queue, w.step, other, 0, NULL, NULL);
        model_step(other_model, ITEMS);
    }
    must(clFinish(w.queue));
    queue = world_queue(&w, order(i));
    memset(host, 0xa5, sizeof host);
}

static void check_other(void)
{
    static unsigned char seen[BUFFER_BYTES];

    must(clEnqueueReadBuffer(w.queue, other, CL_TRUE, 0, BUFFER_BYTES, seen, 0, NULL,
                             NULL));
    ck_assert_mem_eq(seen, other_model, BUFFER_BYTES);
}

/* Both buffers are right, and kernels find them so. */
static void end(void)
{
    check_other();
    world_check(&w);
    world_launch(&w, w.queue, w.step, other, 0, NULL, NULL);
    model_step(other_model, ITEMS);
    world_step(&w);
    check_other();
    world_check(&w);
    must(clReleaseMemObject(other));
}

static cl_event user_event(void)
{
    cl_int err;
    cl_event user = clCreateUserEvent(w.context, &err);

    must(err);
    return user;
}

static cl_event launch(enum kind kind, cl_command_queue on, cl_uint count,
                       const cl_event *list)
{
    const size_t global = ITEMS;
    const cl_int n = kind == STEP_OF_HALF ? ITEMS / 2 : ITEMS;
    cl_mem first = kind == SHIFT_TO ? other : w.buffer;
    cl_mem second = kind == SHIFT_TO ? w.buffer : other;
    cl_kernel kernel = kind == PLAIN                            ? w.plain
                       : kind == TOTAL                          ? w.total
                       : kind == SHIFT_TO || kind == SHIFT_FROM ? w.shift
                                                                : w.step;
    cl_uint index = 0;
    cl_event event;

    if (kind == TOTAL)
        second = world_totals(&w);
    must(clSetKernelArg(kernel, index++, sizeof first, &first));
    if (kernel == w.shift || kernel == w.total)
        must(clSetKernelArg(kernel, index++, sizeof second, &second));
    must(clSetKernelArg(kernel, index, sizeof n, &n));
    must(clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, NULL, count, list, &event));
    if (kind == TOTAL)
        must(clReleaseMemObject(second));
    return event;
}

static cl_event transfer_rect(enum kind kind, cl_command_queue on, cl_uint count,
                              const cl_event *list)
{
    static unsigned char bytes[BUFFER_BYTES];
    const size_t from[3] = {3, 2, 1}, to[3] = {0, 4, 1}, region[3] = {17, 5, 2};
    cl_event event;

    if (kind == WRITE_RECT)
        must(clEnqueueWriteBufferRect(on, w.buffer, CL_FALSE, to, from, region, 24, 288,
                                      24, 288, bytes, count, list, &event));
    else if (kind == READ_RECT)
        must(clEnqueueReadBufferRect(on, w.buffer, CL_FALSE, from, to, region, 24, 288,
                                     24, 288, host, count, list, &event));
    else
        must(clEnqueueCopyBufferRect(on, w.buffer, other, from, to, region, 24, 288, 24,
                                     288, count, list, &event));
    return event;
}

static cl_event map(enum kind kind, cl_command_queue on, cl_uint count,
                    const cl_event *list)
{
    const bool is_whole = kind == MAP_TO_OVERWRITE;
    cl_event event;
    cl_int err;

    clEnqueueMapBuffer(on, w.buffer, CL_FALSE,
                       is_whole ? CL_MAP_WRITE_INVALIDATE_REGION
                                : CL_MAP_READ | CL_MAP_WRITE,
                       is_whole ? 0 : PART, is_whole ? BUFFER_BYTES : PART_BYTES, count,
                       list, &event, &err);
    must(err);
    return event;
}

static cl_event transfer(enum kind kind, cl_command_queue on, cl_uint count,
                         const cl_event *list)
{
    static unsigned char bytes[BUFFER_BYTES];
    const bool is_part = kind == WRITE_PART || kind == FILL_PART || kind == COPY_PART;
    const size_t offset = is_part ? PART : 0, size = is_part ? PART_BYTES : BUFFER_BYTES;
    cl_event event;

    switch (kind) {
    case WRITE:
    case WRITE_PART:
        must(clEnqueueWriteBuffer(on, w.buffer, CL_FALSE, offset, size, bytes, count,
                                  list, &event));
        break;
    case FILL:
    case FILL_PART:
        must(
            clEnqueueFillBuffer(on, w.buffer, "x", 1, offset, size, count, list, &event));
        break;
    case COPY_TO:
    case COPY_PART:
        must(clEnqueueCopyBuffer(on, w.buffer, other, offset, offset, size, count, list,
                                 &event));
        break;
    case COPY_FROM:
        must(clEnqueueCopyBuffer(on, other, w.buffer, 0, 0, size, count, list, &event));
        break;
    case READ:
        must(clEnqueueReadBuffer(on, w.buffer, CL_FALSE, 0, size, host, count, list,
                                 &event));
        break;
    case MIGRATE:
        must(clEnqueueMigrateMemObjects(on, 1, &w.buffer, CL_MIGRATE_MEM_OBJECT_HOST,
                                        count, list, &event));
        break;
    case MARKER:
        must(clEnqueueMarkerWithWaitList(on, count, list, &event));
        break;
    default:
        must(clEnqueueBarrierWithWaitList(on, count, list, &event));
    }
    return event;
}

static cl_event enqueue(enum kind kind, cl_command_queue on, cl_uint count,
                        const cl_event *list)
{
    if (kind <= TOTAL)
        return launch(kind, on, count, list);
    if (kind == WRITE_RECT || kind == READ_RECT || kind == COPY_RECT)
        return transfer_rect(kind, on, count, list);
    if (kind == MAP_TO_OVERWRITE || kind == MAP_PART)
        return map(kind, on, count, list);
    return transfer(kind, on, count, list);
}

/* Whether the command comes to an end, and how: some drivers tell only who waits. Turns
 * of this thread are counted, not time. */
static cl_int result(cl_event event)
{
    cl_int status = CL_QUEUED;

    for (int turn = 0; turn < 10000 && status > CL_COMPLETE; turn++) {
        must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, NULL));
        usleep(status > CL_COMPLETE ? 1000 : 0);
    }
    ck_assert_msg(status <= CL_COMPLETE, "it never ends: %d", status);
    return clWaitForEvents(1, &event);
}

static void fails(cl_event event)
{
    ck_assert_int_eq(result(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

static void host_is_untouched(void)
{
    for (size_t b = 0; b < sizeof host; b++)
        if (host[b] != 0xa5)
            ck_abort_msg("host byte %zu: %u", b, host[b]);
}

START_TEST(has_not_run)
{
    cl_event user, event;

    begin(_i);
    user = user_event();
    event = enqueue((enum kind)(_i % KINDS), queue, 1, &user);
    must(clFlush(queue));
    must(clSetUserEventStatus(user, -1));
    fails(event);
    host_is_untouched();
    end();
}
END_TEST

/* On a queue of its own, so that the events alone are what cancels. */
START_TEST(nor_has_what_waits_for_it)
{
    cl_command_queue second;
    cl_event user, events[2];

    begin(_i);
    second = world_queue(&w, 0);
    user = user_event();
    events[0] = enqueue(_i % 3 ? WRITE : STEP, queue, 1, &user);
    events[1] = enqueue((enum kind)(_i % KINDS), second, 1, &events[0]);
    must(clFlush(queue));
    must(clFlush(second));
    must(clSetUserEventStatus(user, -7));
    fails(events[0]);
    fails(events[1]);
    host_is_untouched();
    end();
}
END_TEST

/* In an in-order queue, which the driver may cancel as well: its event says what became
 * of it. */
START_TEST(whole_write_behind_it)
{
    cl_event user, events[2];

    begin(0);
    user = user_event();
    events[0] = enqueue((enum kind)(_i % KINDS), queue, 1, &user);
    memset(host, 0x5a, sizeof host);
    must(clEnqueueWriteBuffer(queue, w.buffer, CL_FALSE, 0, BUFFER_BYTES, host, 0, NULL,
                              &events[1]));
    must(clFlush(queue));
    must(clSetUserEventStatus(user, -1));
    fails(events[0]);
    if (result(events[1]) == CL_SUCCESS)
        memset(w.model, 0x5a, BUFFER_BYTES);
    end();
}
END_TEST

START_TEST(kernel_behind_it)
{
    cl_event user, events[2];

    begin(0);
    user = user_event();
    events[0] = enqueue((enum kind)(_i % KINDS), queue, 1, &user);
    events[1] = enqueue(STEP, queue, 0, NULL);
    must(clFlush(queue));
    must(clSetUserEventStatus(user, -1));
    fails(events[0]);
    if (result(events[1]) == CL_SUCCESS)
        model_step(w.model, ITEMS);
    end();
}
END_TEST

/* OpenCL allows no events of other contexts. PoCL of Debian 12 takes them for launches;
 * what holds for a context's own user events holds for them. */
START_TEST(launch_that_waits_for_another_context)
{
    const size_t global = ITEMS + 3;
    static unsigned char byte;
    cl_context second;
    cl_event gate;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    must(clFinish(w.queue));
    second = clCreateContext(NULL, 1, &w.device, NULL, NULL, &err);
    must(err);
    gate = clCreateUserEvent(second, &err);
    must(err);
    err = clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, NULL, 1, &gate, NULL);
    if (err == CL_SUCCESS && _i == 0)
        model_step(w.model, ITEMS);
    else if (err != CL_SUCCESS)
        ck_assert_int_eq(err, CL_INVALID_CONTEXT);
    /* Drivers that refuse this have nothing of it left. */
    clEnqueueReadBuffer(w.queue, w.buffer, CL_FALSE, 0, 1, &byte, 1, &gate, NULL);
    must(clSetUserEventStatus(gate, _i ? -1 : CL_COMPLETE));
    must(clFinish(w.queue));
    world_check(&w);
    must(clReleaseEvent(gate));
    must(clReleaseContext(second));
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cancelled");

    SUITE_CASES(suite, has_not_run, KINDS * 4);
    SUITE_CASES(suite, nor_has_what_waits_for_it, KINDS * 4);
    SUITE_CASES(suite, whole_write_behind_it, KINDS);
    SUITE_CASES(suite, kernel_behind_it, KINDS);
    SUITE_CASES(suite, launch_that_waits_for_another_context, 2);
    return suite_run(suite);
}
