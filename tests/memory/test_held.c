/* SPDX-License-Identifier: MIT */
/* Claim: commands that a user event holds back see the bytes that they would see natively
 * when it lets them go, whatever was in tiles when they were enqueued, and nothing waits
 * inside DL. Each case runs on an in-order and on an out-of-order queue. */
#include "suite.h"
#include "world.h"

#include <string.h>

static struct world w;

static const cl_command_queue_properties orders[] = {
    0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

/* The buffer is in tiles. */
static void begin(cl_command_queue_properties order)
{
    world_begin_with(&w, CL_MEM_READ_WRITE, order);
    world_step(&w);
    must(clFinish(w.queue));
}

/* It is right, also for a kernel that may have it in tiles again. */
static void end(void)
{
    must(clFinish(w.queue));
    world_check(&w);
    world_step(&w);
    must(clFinish(w.queue));
    world_check(&w);
    world_end(&w);
}

static void done(cl_event event, cl_command_type wanted)
{
    cl_command_type type = 0;

    must(clWaitForEvents(1, &event));
    must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    ck_assert_uint_eq(type, wanted);
    must(clReleaseEvent(event));
}

START_TEST(transfers)
{
    const cl_uint pattern = 0x55667788;
    const size_t origin[3] = {4, 1, 0}, flat[3] = {0, 0, 0}, region[3] = {10, 6, 1};
    unsigned char seen[60], host[48];
    cl_event user, events[4];
    cl_int err, status;

    /* Nothing inside DL may wait, and what waits for a step sees all of the step before.
     */
    begin(orders[_i]);
    memset(host, 0x3d, sizeof host);
    user = clCreateUserEvent(w.context, &err);
    must(err);
    must(clEnqueueFillBuffer(w.queue, w.buffer, &pattern, 4, 48, 96, 1, &user,
                             &events[0]));
    must(clEnqueueWriteBuffer(w.queue, w.buffer, CL_FALSE, 100, 48, host, 1, &events[0],
                              &events[1]));
    must(clEnqueueCopyBuffer(w.queue, w.buffer, w.buffer, 97, 501, 51, 1, &events[1],
                             &events[2]));
    must(clEnqueueReadBufferRect(w.queue, w.buffer, CL_FALSE, origin, flat, region, 80, 0,
                                 10, 0, seen, 1, &events[2], &events[3]));
    must(clGetEventInfo(events[3], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                        &status, NULL));
    ck_assert_int_gt(status, CL_COMPLETE);
    must(clSetUserEventStatus(user, CL_COMPLETE));
    must(clWaitForEvents(1, &events[3]));
    for (size_t i = 48; i < 144; i += 4)
        memcpy(w.model + i, &pattern, 4);
    memcpy(w.model + 100, host, 48);
    memcpy(w.model + 501, w.model + 97, 51);
    for (size_t y = 0; y < 6; y++)
        ck_assert_mem_eq(seen + y * 10, w.model + (y + 1) * 80 + 4, 10);
    for (int e = 0; e < 4; e++)
        must(clReleaseEvent(events[e]));
    must(clReleaseEvent(user));
    end();
}
END_TEST

START_TEST(maps)
{
    unsigned char *mapped, *again;
    cl_event user, events[2];
    cl_int err, status;
    bool share;

    /* The pointer is there at once, the bytes when the event says so. */
    begin(orders[_i]);
    share = world_maps_share(&w);
    user = clCreateUserEvent(w.context, &err);
    must(err);
    mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_FALSE, CL_MAP_READ, 120, 600, 1,
                                &user, &events[0], &err);
    must(err);
    ck_assert_ptr_nonnull(mapped);
    again = clEnqueueMapBuffer(w.queue, w.buffer, CL_FALSE, CL_MAP_READ, 300, 200, 1,
                               &events[0], &events[1], &err);
    must(err);
    if (share)
        ck_assert_ptr_eq(again, mapped + 180);
    must(clGetEventInfo(events[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                        &status, NULL));
    ck_assert_int_gt(status, CL_COMPLETE);
    must(clSetUserEventStatus(user, CL_COMPLETE));
    done(events[1], CL_COMMAND_MAP_BUFFER);
    done(events[0], CL_COMMAND_MAP_BUFFER);
    ck_assert_mem_eq(mapped, w.model + 120, 600);
    ck_assert_mem_eq(again, w.model + 300, 200);
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, again, 0, NULL, &events[0]));
    done(events[0], CL_COMMAND_UNMAP_MEM_OBJECT);
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, &events[0]));
    done(events[0], CL_COMMAND_UNMAP_MEM_OBJECT);
    must(clReleaseEvent(user));
    end();
}
END_TEST

START_TEST(released_before_it_is_unmapped)
{
    unsigned char *mapped;
    cl_event user, event;
    cl_int err;

    begin(0);
    user = clCreateUserEvent(w.context, &err);
    must(err);
    mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_WRITE, 48, 960, 0,
                                NULL, NULL, &err);
    must(err);
    memset(mapped, 0x77, 960);
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 1, &user, &event));
    must(clReleaseMemObject(w.buffer));
    must(clSetUserEventStatus(user, CL_COMPLETE));
    done(event, CL_COMMAND_UNMAP_MEM_OBJECT);
    must(clReleaseEvent(user));
    w.buffer = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              BUFFER_BYTES, w.model, &err);
    must(err);
    end();
}
END_TEST

START_TEST(unmap_of_what_was_mapped_before)
{
    unsigned char *mapped;
    cl_event user, event;
    cl_int err;

    /* Mapped while the buffer was in tiles, written, and unmapped when the program lets
     * it. */
    begin(orders[_i]);
    mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                101, 500, 0, NULL, NULL, &err);
    must(err);
    ck_assert_mem_eq(mapped, w.model + 101, 500);
    user = clCreateUserEvent(w.context, &err);
    must(err);
    memset(mapped, 0x77, 500);
    memset(w.model + 101, 0x77, 500);
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 1, &user, &event));
    must(clSetUserEventStatus(user, CL_COMPLETE));
    done(event, CL_COMMAND_UNMAP_MEM_OBJECT);
    must(clReleaseEvent(user));
    end();
}
END_TEST

START_TEST(launches)
{
    cl_event user, events[2];
    cl_int err;

    begin(orders[_i]);
    user = clCreateUserEvent(w.context, &err);
    must(err);
    world_launch(&w, w.queue, w.step, w.buffer, 1, &user, &events[0]);
    world_launch(&w, w.queue, w.plain, w.buffer, 1, &events[0], &events[1]);
    model_step(w.model, ITEMS);
    model_plain(w.model, ITEMS);
    must(clSetUserEventStatus(user, CL_COMPLETE));
    done(events[1], CL_COMMAND_NDRANGE_KERNEL);
    must(clReleaseEvent(events[0]));
    must(clReleaseEvent(user));
    end();
}
END_TEST

START_TEST(what_the_host_waits_for_first)
{
    unsigned char byte = 9, seen[BUFFER_BYTES];
    cl_command_queue second;
    cl_event user;
    cl_int err;

    /* The user event is set only when the host has seen the buffer by another queue, as a
     * kernel made it there. */
    begin(orders[_i]);
    second = world_queue(&w, 0);
    user = clCreateUserEvent(w.context, &err);
    must(err);
    must(clEnqueueWriteBuffer(w.queue, w.buffer, CL_FALSE, 33, 1, &byte, 1, &user, NULL));
    world_launch(&w, second, w.plain, w.buffer, 0, NULL, NULL);
    model_plain(w.model, ITEMS);
    must(clEnqueueReadBuffer(second, w.buffer, CL_TRUE, 0, BUFFER_BYTES, seen, 0, NULL,
                             NULL));
    ck_assert_mem_eq(seen, w.model, BUFFER_BYTES);
    must(clSetUserEventStatus(user, CL_COMPLETE));
    must(clFinish(w.queue));
    w.model[33] = 9;
    must(clReleaseEvent(user));
    must(clReleaseCommandQueue(second));
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("held");

    SUITE_CASES(suite, transfers, 2);
    SUITE_CASES(suite, maps, 2);
    SUITE_CASES(suite, unmap_of_what_was_mapped_before, 2);
    SUITE_CASE(suite, released_before_it_is_unmapped);
    SUITE_CASES(suite, launches, 2);
    SUITE_CASES(suite, what_the_host_waits_for_first, 2);
    return suite_run(suite);
}
