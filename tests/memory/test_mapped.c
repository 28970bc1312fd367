/* SPDX-License-Identifier: MIT */
/* Claim: maps of part of a tiled buffer show the program's own layout and leave the
 * buffer in tiles: one at a time, nested, overlapping, held back, unmapped elsewhere.
 * stays_test.sh sees that nothing was brought back. */
#include "suite.h"
#include "world.h"

#include <stdint.h>
#include <string.h>

static struct world w;
static bool maps_share; /* natively, too */

static const cl_command_queue_properties orders[] = {
    0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

/* One world for all cases, with a queue and a buffer in tiles for each. */
static void begin_with(cl_command_queue_properties order, cl_mem_flags flags)
{
    cl_int err;

    if (!w.context) {
        world_begin(&w);
        maps_share = world_maps_share(&w);
    }
    must(clReleaseCommandQueue(w.queue));
    w.queue = world_queue(&w, order);
    if (w.buffer)
        must(clReleaseMemObject(w.buffer));
    w.buffer = clCreateBuffer(w.context, flags | CL_MEM_COPY_HOST_PTR, BUFFER_BYTES,
                              w.model, &err);
    must(err);
    world_step(&w);
    must(clFinish(w.queue));
}

static void begin(cl_command_queue_properties order)
{
    begin_with(order, CL_MEM_READ_WRITE);
}

static void end(void)
{
    must(clFinish(w.queue));
    world_check(&w);
    world_step(&w);
    must(clFinish(w.queue));
    world_check(&w);
}

static void done(cl_event event, cl_command_type wanted)
{
    cl_command_queue queue = NULL;
    cl_command_type type = 0;

    must(clWaitForEvents(1, &event));
    must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    must(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    ck_assert_uint_eq(type, wanted);
    ck_assert_ptr_eq(queue, w.queue);
    must(clReleaseEvent(event));
}

static unsigned char *map_bytes(cl_map_flags flags, size_t offset, size_t bytes)
{
    cl_event event;
    cl_int err;
    unsigned char *mapped = clEnqueueMapBuffer(w.queue, w.buffer, offset % 2 == 0, flags,
                                               offset, bytes, 0, NULL, &event, &err);

    must(err);
    done(event, CL_COMMAND_MAP_BUFFER);
    if (flags != CL_MAP_WRITE_INVALIDATE_REGION)
        ck_assert_mem_eq(mapped, w.model + offset, bytes);
    return mapped;
}

static void unmap(void *mapped)
{
    cl_event event;

    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, &event));
    done(event, CL_COMMAND_UNMAP_MEM_OBJECT);
}

/* The host writes what it has mapped. */
static void write_bytes(unsigned char *mapped, size_t offset, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        mapped[i] = (unsigned char)(i * 11 + seed);
    memcpy(w.model + offset, mapped, bytes);
}

static cl_uint map_count(void)
{
    cl_uint count = 99;

    must(clFinish(w.queue));
    must(clGetMemObjectInfo(w.buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    return count;
}

static const struct {
    size_t offset, bytes;
} ranges[] = {
    {0, 1},
    {sizeof(struct item), sizeof(struct item)},
    {3 * sizeof(struct item) + 5, 40 * sizeof(struct item) + 2},
    {7 * sizeof(struct item) + 1, 6},
    {8 * sizeof(struct item) + 8, 16},
    {BUFFER_BYTES - 3, 3},
    {BUFFER_BYTES - 20, 19},
    {0, BUFFER_BYTES - 1},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

START_TEST(maps_of_ranges)
{
    static const cl_map_flags kinds[] = {CL_MAP_READ, CL_MAP_WRITE,
                                         CL_MAP_READ | CL_MAP_WRITE,
                                         CL_MAP_WRITE_INVALIDATE_REGION};
    static const cl_mem_flags flags[] = {CL_MEM_READ_WRITE, CL_MEM_ALLOC_HOST_PTR};

    begin_with(orders[_i], flags[_i]);
    for (size_t r = 0; r < RANGES; r++)
        for (size_t k = 0; k < 4; k++) {
            size_t offset = ranges[r].offset, bytes = ranges[r].bytes;
            unsigned char *mapped = map_bytes(kinds[k], offset, bytes);

            if (maps_share)
                ck_assert_uint_eq(((uintptr_t)mapped - offset) % sizeof(cl_long16), 0);
            if (k > 0)
                write_bytes(mapped, offset, bytes, (unsigned)(r * 16 + k));
            unmap(mapped);
            world_check(&w);
        }
    end();
}
END_TEST

/* What is written through one map is seen through the others, and by a later one. */
static void write_across(unsigned char *outer)
{
    unsigned char *across, *apart;

    across = map_bytes(CL_MAP_READ | CL_MAP_WRITE, 550, 700);
    ck_assert_ptr_eq(across, outer + (550 - 101));
    write_bytes(across, 550, 700, 5);
    ck_assert_mem_eq(outer, w.model + 101, 500);
    apart = map_bytes(CL_MAP_READ, 1, 1700);
    ck_assert_ptr_eq(apart + 100, outer);
    ck_assert_uint_eq(map_count(), 4);
    unmap(across);
    world_check(&w);
    ck_assert_mem_eq(apart, w.model + 1, 1700);
    unmap(apart);
}

START_TEST(nested_maps_share_their_bytes)
{
    unsigned char *outer, *same, *inner;

    begin(0);
    ck_assert_uint_eq(map_count(), 0);
    outer = map_bytes(CL_MAP_READ, 101, 500);
    same = map_bytes(CL_MAP_READ, 101, 30);
    inner = map_bytes(CL_MAP_READ, 333, 60);
    if (maps_share) {
        ck_assert_ptr_eq(same, outer);
        ck_assert_ptr_eq(inner, outer + (333 - 101));
    }
    ck_assert_uint_eq(map_count(), 3);
    unmap(same);
    ck_assert_uint_eq(map_count(), 2);
    ck_assert_mem_eq(outer, w.model + 101, 500);
    if (maps_share)
        write_across(outer);
    unmap(outer);
    ck_assert_mem_eq(inner, w.model + 333, 60);
    unmap(inner);
    ck_assert_uint_eq(map_count(), 0);
    end();
}
END_TEST

START_TEST(maps_that_begin_alike)
{
    unsigned char *writer, *reader;

    /* An unmap says where, not which: in either order both maps are undone, and nothing
     * that the host writes before the second is lost. */
    begin(0);
    for (int round = 0; round < 2 && maps_share; round++) {
        reader = round ? map_bytes(CL_MAP_READ, 64, 10) : NULL;
        writer = map_bytes(CL_MAP_READ | CL_MAP_WRITE, 64, 300);
        reader = reader ? reader : map_bytes(CL_MAP_READ, 64, 10);
        ck_assert_ptr_eq(writer, reader);
        write_bytes(writer, 64, 300, 9 + (unsigned)round);
        unmap(reader);
        ck_assert_uint_eq(map_count(), 1);
        world_check(&w);
        write_bytes(writer, 64, 300, 19 + (unsigned)round);
        unmap(writer);
        ck_assert_uint_eq(map_count(), 0);
        world_check(&w);
    }
    /* Two that read, on any driver. */
    writer = map_bytes(CL_MAP_READ, 64, 300);
    reader = map_bytes(CL_MAP_READ, 64, 10);
    unmap(writer);
    ck_assert_uint_eq(map_count(), 1);
    ck_assert_mem_eq(reader, w.model + 64, 10);
    unmap(reader);
    ck_assert_uint_eq(map_count(), 0);
    end();
}
END_TEST

START_TEST(maps_that_share_a_struct)
{
    unsigned char *left, *right;

    /* Both write half of a struct; neither undoes the other. */
    begin(0);
    left = map_bytes(CL_MAP_WRITE, 240, 10);
    right = map_bytes(CL_MAP_WRITE, 250, 14);
    write_bytes(right, 250, 14, 1);
    write_bytes(left, 240, 10, 2);
    unmap(left);
    unmap(right);
    end();
}
END_TEST

START_TEST(kernels_read_what_is_mapped_for_reading)
{
    unsigned char *mapped;
    cl_mem out;

    begin(0);
    out = world_totals(&w);
    mapped = map_bytes(CL_MAP_READ, 90, 900);
    world_total(&w, w.queue, w.buffer, out);
    world_check_totals(&w, w.queue, out);
    ck_assert_mem_eq(mapped, w.model + 90, 900);
    unmap(mapped);
    must(clReleaseMemObject(out));
    end();
}
END_TEST

START_TEST(unmapped_on_another_queue)
{
    cl_command_queue first, second;
    unsigned char *mapped;
    cl_event event;

    begin(0);
    first = w.queue;
    second = world_queue(&w, 0);
    mapped = map_bytes(CL_MAP_WRITE, 77, 444);
    write_bytes(mapped, 77, 444, 3);
    must(clEnqueueUnmapMemObject(second, w.buffer, mapped, 0, NULL, &event));
    must(clFlush(second));
    must(clEnqueueBarrierWithWaitList(first, 1, &event, NULL));
    must(clReleaseEvent(event));
    end();
    must(clReleaseCommandQueue(second));
}
END_TEST

START_TEST(many_at_a_time)
{
    enum { MAPS = 200 };
    unsigned char *mapped[MAPS];

    begin(0);
    for (size_t i = 0; i < MAPS; i++)
        mapped[i] = map_bytes(i % 2 ? CL_MAP_WRITE : CL_MAP_READ, i * 9, 7);
    ck_assert_uint_eq(map_count(), MAPS);
    for (size_t i = 0; i < MAPS; i++) {
        if (i % 2)
            write_bytes(mapped[i], i * 9, 7, (unsigned)i);
        unmap(mapped[i]);
    }
    ck_assert_uint_eq(map_count(), 0);
    end();
}
END_TEST

/* What the driver says to an unmap with this wait list: of a buffer that it has mapped
 * itself. */
static cl_int drivers_unmap_error(cl_uint wait_count, const cl_event *wait)
{
    static unsigned char bytes[BUFFER_BYTES];
    cl_mem other = world_other(&w, bytes);
    cl_int err, refused;
    void *mapped = clEnqueueMapBuffer(w.queue, other, CL_TRUE, CL_MAP_READ, 0, 96, 0,
                                      NULL, NULL, &err);

    must(err);
    refused = clEnqueueUnmapMemObject(w.queue, other, mapped, wait_count, wait, NULL);
    ck_assert_int_ne(refused, CL_SUCCESS);
    must(clEnqueueUnmapMemObject(w.queue, other, mapped, 0, NULL, NULL));
    must(clFinish(w.queue));
    must(clReleaseMemObject(other));
    return refused;
}

START_TEST(errors_are_the_drivers)
{
    unsigned char *mapped, other = 0;
    cl_command_queue foreign_queue;
    cl_context foreign;
    cl_event none = NULL;
    cl_int err = 0;

    begin(0);
    mapped = map_bytes(CL_MAP_READ | CL_MAP_WRITE, 96, 96);
    ck_assert_int_eq(clEnqueueUnmapMemObject(w.queue, w.buffer, &other, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueUnmapMemObject(w.queue, w.buffer, NULL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(
        clEnqueueUnmapMemObject(w.queue, w.buffer, mapped + 1, 0, NULL, NULL),
        CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 1, NULL, NULL),
                     drivers_unmap_error(1, NULL));
    ck_assert_int_eq(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 1, &none, NULL),
                     drivers_unmap_error(1, &none));
    foreign = clCreateContext(NULL, 1, &w.device, NULL, NULL, &err);
    must(err);
    foreign_queue = clCreateCommandQueue(foreign, w.device, 0, &err);
    must(err);
    ck_assert_int_eq(
        clEnqueueUnmapMemObject(foreign_queue, w.buffer, mapped, 0, NULL, NULL),
        CL_INVALID_CONTEXT);
    must(clReleaseCommandQueue(foreign_queue));
    must(clReleaseContext(foreign));
    ck_assert_uint_eq(map_count(), 1);
    ck_assert_mem_eq(mapped, w.model + 96, 96);
    write_bytes(mapped, 96, 96, 8);
    unmap(mapped);
    ck_assert_int_eq(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    end();
}
END_TEST

START_TEST(events_tell_the_time)
{
    cl_ulong times[4];
    cl_event events[2];
    void *mapped;
    cl_int err;

    begin(CL_QUEUE_PROFILING_ENABLE);
    mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_WRITE, 24, 480, 0,
                                NULL, &events[0], &err);
    must(err);
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, &events[1]));
    must(clWaitForEvents(2, events));
    for (int e = 0; e < 2; e++) {
        for (cl_uint t = 0; t < 4; t++)
            must(clGetEventProfilingInfo(events[e], CL_PROFILING_COMMAND_QUEUED + t,
                                         sizeof *times, &times[t], NULL));
        ck_assert(times[0] <= times[1] && times[1] <= times[2] && times[2] <= times[3]);
        must(clReleaseEvent(events[e]));
    }
    end();
}
END_TEST

START_TEST(released_while_it_is_mapped)
{
    begin(0);
    map_bytes(CL_MAP_READ, 48, 960);
    must(clReleaseMemObject(w.buffer));
    w.buffer = NULL;
    begin(0);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mapped");
    int failed;

    SUITE_CASES(suite, maps_of_ranges, 2);
    SUITE_CASE(suite, nested_maps_share_their_bytes);
    SUITE_CASE(suite, maps_that_begin_alike);
    SUITE_CASE(suite, maps_that_share_a_struct);
    SUITE_CASE(suite, kernels_read_what_is_mapped_for_reading);
    SUITE_CASE(suite, unmapped_on_another_queue);
    SUITE_CASE(suite, released_while_it_is_mapped);
    SUITE_CASE(suite, many_at_a_time);
    SUITE_CASE(suite, errors_are_the_drivers);
    SUITE_CASE(suite, events_tell_the_time);
    failed = suite_run(suite);
    world_end(&w);
    return failed;
}
