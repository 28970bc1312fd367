/* SPDX-License-Identifier: MIT */
/* Claim: the order of a program's commands, on one queue or several, in threads, held
 * back by user events, and the buffers that DL must not write, are as without DL. */
#include "suite.h"
#include "world.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct world w;

/* ---- order ---- */

START_TEST(two_queues_by_events)
{
    cl_command_queue second;
    cl_event events[2];

    world_begin(&w);
    second = world_queue(&w, 0);
    for (int round = 0; round < 20; round++) {
        world_launch(&w, w.queue, w.step, w.buffer, 0, NULL, &events[0]);
        model_step(w.model, ITEMS);
        must(clFlush(w.queue));
        world_launch(&w, second, round % 3 ? w.step : w.plain, w.buffer, 1, events,
                     &events[1]);
        if (round % 3)
            model_step(w.model, ITEMS);
        else
            model_plain(w.model, ITEMS);
        must(clFlush(second));
        must(clEnqueueBarrierWithWaitList(w.queue, 1, &events[1], NULL));
        must(clReleaseEvent(events[0]));
        must(clReleaseEvent(events[1]));
    }
    world_check(&w);
    must(clReleaseCommandQueue(second));
    world_end(&w);
}
END_TEST

START_TEST(readers_on_two_queues_need_no_order)
{
    unsigned char seen[BUFFER_BYTES];
    cl_command_queue second;
    cl_mem out;

    /* Natively both only read the buffer; under DL one of them converts it. */
    world_begin(&w);
    second = world_queue(&w, 0);
    out = world_totals(&w);
    world_step(&w);
    must(clFinish(w.queue));
    for (int round = 0; round < 30; round++) {
        world_total(&w, w.queue, w.buffer, out);
        must(clEnqueueReadBuffer(second, w.buffer, CL_TRUE, 0, BUFFER_BYTES, seen, 0,
                                 NULL, NULL));
        ck_assert_mem_eq(seen, w.model, BUFFER_BYTES);
    }
    world_check_totals(&w, w.queue, out);
    must(clReleaseMemObject(out));
    must(clReleaseCommandQueue(second));
    world_end(&w);
}
END_TEST

START_TEST(out_of_order_queue)
{
    cl_event previous = NULL, event;

    world_begin_with(&w, CL_MEM_READ_WRITE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int round = 0; round < 20; round++) {
        bool plain = round % 5 == 4;

        world_launch(&w, w.queue, plain ? w.plain : w.step, w.buffer, previous ? 1 : 0,
                     previous ? &previous : NULL, &event);
        if (plain)
            model_plain(w.model, ITEMS);
        else
            model_step(w.model, ITEMS);
        if (previous)
            must(clReleaseEvent(previous));
        previous = event;
    }
    must(clWaitForEvents(1, &previous));
    must(clReleaseEvent(previous));
    world_check(&w);
    world_end(&w);
}
END_TEST

/* A list without a count is an error to most drivers; PoCL of Debian 12 launches. Either
 * way the buffer has its bytes. */
START_TEST(list_that_is_not_counted)
{
    const size_t global = ITEMS + 3;
    const cl_int n = ITEMS;
    cl_event before, done = NULL;
    cl_int err;

    world_begin_with(&w, CL_MEM_READ_WRITE, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int round = 0; round < 20; round++) {
        cl_kernel kernel = round % 2 ? w.plain : w.step;

        must(clEnqueueMarkerWithWaitList(w.queue, 0, NULL, &before));
        must(clSetKernelArg(kernel, 0, sizeof w.buffer, &w.buffer));
        must(clSetKernelArg(kernel, 1, sizeof n, &n));
        err = clEnqueueNDRangeKernel(w.queue, kernel, 1, NULL, &global, NULL, 0, &before,
                                     &done);
        if (err == CL_SUCCESS) {
            (round % 2 ? model_plain : model_step)(w.model, ITEMS);
            must(clWaitForEvents(1, &done));
            must(clReleaseEvent(done));
        } else {
            ck_assert_int_eq(err, CL_INVALID_EVENT_WAIT_LIST);
        }
        must(clReleaseEvent(before));
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(user_event_holds_a_launch)
{
    cl_event user, done;
    cl_int err, status = 0;

    /* Everything is enqueued before the user event lets it run: nothing may wait inside
     * DL. */
    world_begin(&w);
    world_step(&w);
    user = clCreateUserEvent(w.context, &err);
    must(err);
    world_launch(&w, w.queue, w.step, w.buffer, 1, &user, &done);
    model_step(w.model, ITEMS);
    world_plain(&w);
    world_step(&w);
    must(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                        NULL));
    ck_assert_int_ne(status, CL_COMPLETE);
    must(clSetUserEventStatus(user, CL_COMPLETE));
    world_check(&w);
    must(clReleaseEvent(user));
    must(clReleaseEvent(done));
    world_end(&w);
}
END_TEST

START_TEST(command_enqueued_while_its_queue_was_alone)
{
    cl_command_queue second;
    cl_event user, done;
    cl_int err;

    /* A second queue comes and goes; then a launch that is held back, on the only queue
     * there is; then a third queue, whose command comes after the launch. */
    world_begin(&w);
    second = world_queue(&w, 0);
    world_step(&w);
    must(clFinish(w.queue));
    must(clReleaseCommandQueue(second));
    user = clCreateUserEvent(w.context, &err);
    must(err);
    world_launch(&w, w.queue, w.step, w.buffer, 1, &user, &done);
    model_step(w.model, ITEMS);
    second = world_queue(&w, 0);
    world_launch(&w, second, w.plain, w.buffer, 1, &done, NULL);
    model_plain(w.model, ITEMS);
    must(clFlush(w.queue));
    must(clFlush(second));
    must(clSetUserEventStatus(user, CL_COMPLETE));
    must(clFinish(second));
    world_check(&w);
    must(clReleaseEvent(user));
    must(clReleaseEvent(done));
    must(clReleaseCommandQueue(second));
    world_end(&w);
}
END_TEST

START_TEST(what_comes_later_on_another_queue_is_not_waited_for)
{
    const unsigned char byte = 7;
    cl_int err, status = CL_QUEUED;
    cl_command_queue second;
    cl_event user, done;
    cl_mem other;

    /* The first queue is held back after its last command on the buffer, until the host
     * has seen what the second queue makes of the buffer. */
    world_begin(&w);
    second = world_queue(&w, 0);
    other = world_totals(&w);
    world_step(&w);
    must(clFinish(w.queue));
    user = clCreateUserEvent(w.context, &err);
    must(err);
    must(clEnqueueWriteBuffer(w.queue, other, CL_FALSE, 0, 1, &byte, 1, &user, NULL));
    world_launch(&w, second, w.plain, w.buffer, 0, NULL, &done);
    model_plain(w.model, ITEMS);
    must(clFlush(w.queue));
    must(clFlush(second));
    for (int i = 0; i < 5000 && status > CL_COMPLETE; i++) {
        usleep(1000);
        must(clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                            &status, NULL));
    }
    must(clSetUserEventStatus(user, CL_COMPLETE));
    must(clFinish(w.queue));
    must(clFinish(second));
    ck_assert_int_eq(status, CL_COMPLETE);
    world_check(&w);
    must(clReleaseEvent(user));
    must(clReleaseEvent(done));
    must(clReleaseMemObject(other));
    must(clReleaseCommandQueue(second));
    world_end(&w);
}
END_TEST

START_TEST(queue_released_before_the_next_is_used)
{
    cl_command_queue second;

    world_begin(&w);
    second = world_queue(&w, 0);
    world_step(&w);
    must(clFinish(w.queue));
    must(clReleaseCommandQueue(w.queue));
    w.queue = second;
    world_plain(&w);
    world_step(&w);
    must(clFinish(w.queue));
    must(clReleaseCommandQueue(w.queue));
    w.queue = world_queue(&w, 0);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(sub_buffer_made_after_the_queue_is_gone)
{
    const cl_buffer_region region = {1024, 512};
    unsigned char seen[512];
    cl_mem sub;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    must(clFinish(w.queue));
    must(clReleaseCommandQueue(w.queue));
    sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                            &region, &err);
    must(err);
    w.queue = world_queue(&w, 0);
    must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, w.model + 1024, 512);
    must(clReleaseMemObject(sub));
    world_check(&w);
    world_end(&w);
}
END_TEST

/* ---- buffers DL must not write ---- */

START_TEST(read_only_buffer)
{
    cl_mem out;

    world_begin_with(&w, CL_MEM_READ_ONLY, 0);
    out = world_totals(&w);
    for (int round = 0; round < 3; round++) {
        world_total(&w, w.queue, w.buffer, out);
        world_total(&w, w.queue, w.buffer, out);
        world_check_totals(&w, w.queue, out);
        w.model[96 + round] ^= 0xff; /* of a field that is read */
        must(clEnqueueWriteBuffer(w.queue, w.buffer, CL_TRUE, (size_t)(96 + round), 1,
                                  w.model + 96 + round, 0, NULL, NULL));
    }
    world_total(&w, w.queue, w.buffer, out);
    world_check_totals(&w, w.queue, out);
    world_check(&w);
    must(clReleaseMemObject(out));
    world_end(&w);
}
END_TEST

/* OpenCL forbids it, drivers do it, and a lattice-Boltzmann code in public does so. */
START_TEST(read_only_buffer_that_kernels_write)
{
    cl_mem out;

    world_begin_with(&w, CL_MEM_READ_ONLY, 0);
    out = world_totals(&w);
    for (int round = 0; round < 3; round++) {
        world_total(&w, w.queue, w.buffer, out);
        world_check_totals(&w, w.queue, out);
        if (_i == 0)
            world_plain(&w);
        else
            world_step(&w);
    }
    world_total(&w, w.queue, w.buffer, out);
    world_check_totals(&w, w.queue, out);
    world_check(&w);
    must(clReleaseMemObject(out));
    world_end(&w);
}
END_TEST

/* The world's buffer over memory of the host. */
static unsigned char *host_buffer(cl_mem_flags flags)
{
    static unsigned char host[BUFFER_BYTES] __attribute__((aligned(4096)));
    cl_int err;

    world_begin(&w);
    must(clReleaseMemObject(w.buffer));
    memcpy(host, w.model, BUFFER_BYTES);
    w.buffer =
        clCreateBuffer(w.context, flags | CL_MEM_USE_HOST_PTR, BUFFER_BYTES, host, &err);
    must(err);
    return host;
}

START_TEST(host_pointer_buffer)
{
    unsigned char *host = host_buffer(CL_MEM_READ_WRITE), *mapped;
    cl_int err;

    world_step(&w);
    mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ, 0, BUFFER_BYTES,
                                0, NULL, NULL, &err);
    must(err);
    ck_assert_ptr_eq(mapped, host);
    ck_assert_mem_eq(host, w.model, BUFFER_BYTES);
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, NULL));
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

/* What `total` makes of the buffer as it is now, twice: the second finds the tiles there.
 */
static void check_totals(cl_mem out)
{
    for (int twice = 0; twice < 2; twice++) {
        world_total(&w, w.queue, w.buffer, out);
        world_check_totals(&w, w.queue, out);
    }
}

START_TEST(host_pointer_buffer_that_kernels_read)
{
    static const cl_mem_flags kinds[] = {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY};
    unsigned char *host = host_buffer(kinds[_i]), *mapped, patch[40];
    const cl_buffer_region region = {1024, 512};
    const cl_int n = 512 / sizeof(struct item);
    const size_t global = 64;
    cl_mem out = world_totals(&w), sub;
    cl_bool unified = CL_FALSE;
    cl_int err;

    check_totals(out);
    /* Written in every way, it is read as it is then. */
    memset(patch, 0x3b, sizeof patch);
    must(clEnqueueWriteBuffer(w.queue, w.buffer, CL_TRUE, 95, sizeof patch, patch, 0,
                              NULL, NULL));
    memset(w.model + 95, 0x3b, sizeof patch);
    check_totals(out);
    mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_WRITE, 200, 100, 0,
                                NULL, NULL, &err);
    must(err);
    ck_assert_ptr_eq(mapped, host + 200);
    memset(mapped, 0x1d, 100);
    memset(w.model + 200, 0x1d, 100);
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, NULL));
    check_totals(out);
    must(clEnqueueFillBuffer(w.queue, w.buffer, patch, 1, 400, 200, 0, NULL, NULL));
    memset(w.model + 400, 0x3b, 200);
    check_totals(out);
    if (_i == 0) {
        world_plain(&w);
        check_totals(out);
        world_step(&w);
        check_totals(out);
        sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                &region, &err);
        must(err);
        must(clSetKernelArg(w.plain, 0, sizeof sub, &sub));
        must(clSetKernelArg(w.plain, 1, sizeof n, &n));
        must(clEnqueueNDRangeKernel(w.queue, w.plain, 1, NULL, &global, NULL, 0, NULL,
                                    NULL));
        model_plain(w.model + 1024, n);
        must(clReleaseMemObject(sub));
        check_totals(out);
    }
    must(clGetDeviceInfo(w.device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified,
                         &unified, NULL));
    if (unified) {
        /* Nobody is told, and it works. */
        must(clFinish(w.queue));
        host[73] ^= 0x41; /* of a field that is read */
        w.model[73] ^= 0x41;
        check_totals(out);
    }
    mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ, 0, BUFFER_BYTES,
                                0, NULL, NULL, &err);
    must(err);
    ck_assert_ptr_eq(mapped, host);
    ck_assert_mem_eq(host, w.model, BUFFER_BYTES);
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, NULL));
    world_check(&w);
    must(clReleaseMemObject(out));
    world_end(&w);
}
END_TEST

/* ---- threads ---- */

struct thread_work {
    cl_command_queue queue;
    cl_kernel step, plain;
    cl_mem buffer;
    unsigned char model[BUFFER_BYTES];
    unsigned char seen[BUFFER_BYTES];
    pthread_t thread;
    bool same;
};

static void *thread_main(void *argument)
{
    struct thread_work *work = argument;
    const size_t global = ITEMS;
    const cl_int n = ITEMS;

    work->same = true;
    for (int round = 0; round < 50; round++) {
        bool plain = round % 4 == 3;
        cl_kernel kernel = plain ? work->plain : work->step;

        clSetKernelArg(kernel, 0, sizeof work->buffer, &work->buffer);
        clSetKernelArg(kernel, 1, sizeof n, &n);
        clEnqueueNDRangeKernel(work->queue, kernel, 1, NULL, &global, NULL, 0, NULL,
                               NULL);
        (plain ? model_plain : model_step)(work->model, ITEMS);
        if (round % 7 == 0) {
            clEnqueueReadBuffer(work->queue, work->buffer, CL_TRUE, 0, BUFFER_BYTES,
                                work->seen, 0, NULL, NULL);
            work->same = work->same && memcmp(work->seen, work->model, BUFFER_BYTES) == 0;
        }
    }
    clFinish(work->queue);
    return NULL;
}

START_TEST(four_threads_with_their_own_objects)
{
    static struct thread_work works[4];
    cl_int err;

    world_begin(&w);
    for (int t = 0; t < 4; t++) {
        memcpy(works[t].model, w.model, BUFFER_BYTES);
        works[t].queue = world_queue(&w, 0);
        works[t].step = clCreateKernel(w.program, "advance", &err);
        must(err);
        works[t].plain = clCreateKernel(w.program, "plain", &err);
        must(err);
        works[t].buffer =
            clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           BUFFER_BYTES, w.model, &err);
        must(err);
    }
    for (int t = 0; t < 4; t++)
        ck_assert_int_eq(pthread_create(&works[t].thread, NULL, thread_main, &works[t]),
                         0);
    for (int t = 0; t < 4; t++) {
        pthread_join(works[t].thread, NULL);
        ck_assert(works[t].same);
        must(clReleaseMemObject(works[t].buffer));
        must(clReleaseKernel(works[t].plain));
        must(clReleaseKernel(works[t].step));
        must(clReleaseCommandQueue(works[t].queue));
    }
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("order");

    SUITE_CASE(suite, two_queues_by_events);
    SUITE_CASE(suite, readers_on_two_queues_need_no_order);
    SUITE_CASE(suite, out_of_order_queue);
    SUITE_CASE(suite, list_that_is_not_counted);
    SUITE_CASE(suite, user_event_holds_a_launch);
    SUITE_CASE(suite, command_enqueued_while_its_queue_was_alone);
    SUITE_CASE(suite, what_comes_later_on_another_queue_is_not_waited_for);
    SUITE_CASE(suite, queue_released_before_the_next_is_used);
    SUITE_CASE(suite, sub_buffer_made_after_the_queue_is_gone);
    SUITE_CASE(suite, read_only_buffer);
    SUITE_CASES(suite, read_only_buffer_that_kernels_write, 2);
    SUITE_CASE(suite, host_pointer_buffer);
    SUITE_CASES(suite, host_pointer_buffer_that_kernels_read, 2);
    SUITE_CASE(suite, four_threads_with_their_own_objects);
    return suite_run(suite);
}
