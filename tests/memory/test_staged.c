/* SPDX-License-Identifier: MIT */
/* Claim: a command that touches part of a tiled buffer, of whatever form, moves the right
 * bytes, has the program's kind of event, and leaves the buffer in tiles:
 * under_dl_test.sh sees that nothing was brought back. Each case runs on an in-order and
 * on an out-of-order queue. */
#include "suite.h"
#include "world.h"

#include <string.h>

static struct world w;
static cl_mem other;
static unsigned char other_model[BUFFER_BYTES];

static const cl_command_queue_properties orders[] = {
    0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

/* One world for all cases, with a queue of each. The buffer in tiles, and another that is
 * not. */
static void begin(cl_command_queue_properties order)
{
    cl_int err;

    if (!w.context)
        world_begin(&w);
    must(clReleaseCommandQueue(w.queue));
    w.queue = world_queue(&w, order);
    must(clReleaseMemObject(w.buffer));
    w.buffer = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                              BUFFER_BYTES, w.model, &err);
    must(err);
    for (size_t i = 0; i < BUFFER_BYTES; i++)
        other_model[i] = (unsigned char)(i * 7 + 3);
    other = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           BUFFER_BYTES, other_model, &err);
    must(err);
    world_step(&w);
    must(clFinish(w.queue));
}

static void check_other(void)
{
    unsigned char seen[BUFFER_BYTES];

    must(clEnqueueReadBuffer(w.queue, other, CL_TRUE, 0, BUFFER_BYTES, seen, 0, NULL,
                             NULL));
    ck_assert_mem_eq(seen, other_model, BUFFER_BYTES);
}

/* Both buffers are right, and a kernel finds them so. */
static void end(void)
{
    check_other();
    world_check(&w);
    world_step(&w);
    must(clFinish(w.queue));
    world_check(&w);
    must(clReleaseMemObject(other));
}

/* The command's event completes, and is of the program's kind. */
static void done(cl_event event, cl_command_type wanted)
{
    cl_command_queue queue = NULL;
    cl_command_type type = 0;
    cl_context context = NULL;
    cl_int status = -1;

    must(clWaitForEvents(1, &event));
    must(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    must(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
    must(clGetEventInfo(event, CL_EVENT_CONTEXT, sizeof context, &context, NULL));
    must(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                        NULL));
    ck_assert_uint_eq(type, wanted);
    ck_assert_ptr_eq(queue, w.queue);
    ck_assert_ptr_eq(context, w.context);
    ck_assert_int_eq(status, CL_COMPLETE);
    must(clReleaseEvent(event));
}

/* Ranges that begin and end within structs, among the whole ones, and beyond the last. */
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
#define EACH(a, i)                                                                       \
    size_t i = 0;                                                                        \
    i < sizeof a / sizeof *a;                                                            \
    i++

START_TEST(read_ranges)
{
    unsigned char seen[BUFFER_BYTES];
    cl_event event;

    begin(orders[_i]);
    for (EACH(ranges, r)) {
        memset(seen, 0xa5, sizeof seen);
        must(clEnqueueReadBuffer(w.queue, w.buffer, r % 2, ranges[r].offset,
                                 ranges[r].bytes, seen, 0, NULL, &event));
        done(event, CL_COMMAND_READ_BUFFER);
        ck_assert_mem_eq(seen, w.model + ranges[r].offset, ranges[r].bytes);
        ck_assert_uint_eq(seen[ranges[r].bytes], 0xa5);
    }
    end();
}
END_TEST

START_TEST(write_ranges)
{
    unsigned char host[BUFFER_BYTES];
    cl_event event;

    begin(orders[_i]);
    for (EACH(ranges, r)) {
        for (size_t i = 0; i < sizeof host; i++)
            host[i] = (unsigned char)(i * 5 + r);
        must(clEnqueueWriteBuffer(w.queue, w.buffer, r % 2, ranges[r].offset,
                                  ranges[r].bytes, host, 0, NULL, &event));
        done(event, CL_COMMAND_WRITE_BUFFER);
        memcpy(w.model + ranges[r].offset, host, ranges[r].bytes);
    }
    end();
}
END_TEST

START_TEST(copy_ranges)
{
    cl_event event;

    begin(orders[_i]);
    for (EACH(ranges, r)) {
        size_t at = ranges[r].offset, bytes = ranges[r].bytes;

        must(clEnqueueCopyBuffer(w.queue, w.buffer, other, at, BUFFER_BYTES - at - bytes,
                                 bytes, 0, NULL, &event));
        done(event, CL_COMMAND_COPY_BUFFER);
        memcpy(other_model + BUFFER_BYTES - at - bytes, w.model + at, bytes);
        check_other();
        must(
            clEnqueueCopyBuffer(w.queue, other, w.buffer, 1, at, bytes, 0, NULL, &event));
        done(event, CL_COMMAND_COPY_BUFFER);
        memcpy(w.model + at, other_model + 1, bytes);
        world_check(&w);
    }
    must(clEnqueueCopyBuffer(w.queue, w.buffer, w.buffer, 0, 1001, 500, 0, NULL, &event));
    done(event, CL_COMMAND_COPY_BUFFER);
    memcpy(w.model + 1001, w.model, 500);
    end();
}
END_TEST

START_TEST(copy_from_tiles_to_tiles)
{
    cl_event event;

    begin(orders[_i]);
    world_launch(&w, w.queue, w.step, other, 0, NULL, NULL);
    model_step(other_model, ITEMS);
    must(clFinish(w.queue));
    for (EACH(ranges, r)) {
        size_t at = ranges[r].offset, bytes = ranges[r].bytes;

        must(clEnqueueCopyBuffer(w.queue, w.buffer, other, at, at / 2, bytes, 0, NULL,
                                 &event));
        done(event, CL_COMMAND_COPY_BUFFER);
        memcpy(other_model + at / 2, w.model + at, bytes);
        check_other();
    }
    end();
}
END_TEST

START_TEST(fill_ranges)
{
    static const cl_uint pattern[32] = {0x01020304, 0x11121314, 7, 8, 9};
    static const struct {
        size_t unit, offset, bytes;
    } fills[] = {{1, 3, 1},      {1, BUFFER_BYTES - 2, 2}, {4, 40, 400},
                 {16, 16, 1024}, {128, 128, 1664},         {8, 24, 24}};
    cl_event event;

    begin(orders[_i]);
    for (EACH(fills, f)) {
        must(clEnqueueFillBuffer(w.queue, w.buffer, pattern, fills[f].unit,
                                 fills[f].offset, fills[f].bytes, 0, NULL, &event));
        done(event, CL_COMMAND_FILL_BUFFER);
        for (size_t i = 0; i < fills[f].bytes; i += fills[f].unit)
            memcpy(w.model + fills[f].offset + i, pattern, fills[f].unit);
        world_check(&w);
    }
    end();
}
END_TEST

/* ---- rectangles ---- */

struct side {
    size_t origin[3], row, slice;
};

static const struct {
    size_t region[3];
    struct side side, dense;
} rects[] = {
    {{11, 30, 1}, {{5, 2, 0}, 40, 0}, {{0, 0, 0}, 11, 0}},
    {{24, 7, 1}, {{24, 3, 0}, 72, 0}, {{8, 1, 0}, 32, 0}},
    {{3, 4, 5}, {{1, 2, 3}, 13, 91}, {{2, 0, 1}, 9, 54}},
    {{8, 1, 6}, {{16, 0, 1}, 24, 240}, {{0, 0, 0}, 0, 0}},
    {{1, 60, 1}, {{7, 9, 0}, 24, 0}, {{0, 0, 0}, 1, 0}},
    {{40, 3, 2}, {{0, 0, 0}, 0, 0}, {{3, 1, 1}, 50, 200}},
    {{2, 1, 1}, {{BUFFER_BYTES - 2, 0, 0}, BUFFER_BYTES, 0}, {{0, 0, 0}, 0, 0}},
};

static size_t row_at(const size_t *region, const struct side *side, size_t y, size_t z)
{
    size_t row = side->row ? side->row : region[0];
    size_t slice = side->slice ? side->slice : row * region[1];

    return (side->origin[2] + z) * slice + (side->origin[1] + y) * row + side->origin[0];
}

static void copy_rect(const size_t *region, unsigned char *to, const struct side *to_side,
                      const unsigned char *from, const struct side *from_side)
{
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(to + row_at(region, to_side, y, z),
                   from + row_at(region, from_side, y, z), region[0]);
}

START_TEST(read_rects)
{
    unsigned char seen[BUFFER_BYTES], want[BUFFER_BYTES];
    cl_event event;

    begin(orders[_i]);
    for (EACH(rects, r)) {
        const struct side *side = &rects[r].side, *host = &rects[r].dense;

        memset(seen, 0xa5, sizeof seen);
        memset(want, 0xa5, sizeof want);
        must(clEnqueueReadBufferRect(w.queue, w.buffer, r % 2, side->origin, host->origin,
                                     rects[r].region, side->row, side->slice, host->row,
                                     host->slice, seen, 0, NULL, &event));
        done(event, CL_COMMAND_READ_BUFFER_RECT);
        copy_rect(rects[r].region, want, host, w.model, side);
        ck_assert_mem_eq(seen, want, sizeof seen);
    }
    end();
}
END_TEST

START_TEST(write_rects)
{
    unsigned char host_bytes[BUFFER_BYTES];
    cl_event event;

    begin(orders[_i]);
    for (EACH(rects, r)) {
        const struct side *side = &rects[r].side, *host = &rects[r].dense;

        for (size_t i = 0; i < sizeof host_bytes; i++)
            host_bytes[i] = (unsigned char)(i * 3 + r);
        must(clEnqueueWriteBufferRect(
            w.queue, w.buffer, r % 2, side->origin, host->origin, rects[r].region,
            side->row, side->slice, host->row, host->slice, host_bytes, 0, NULL, &event));
        done(event, CL_COMMAND_WRITE_BUFFER_RECT);
        copy_rect(rects[r].region, w.model, side, host_bytes, host);
        world_check(&w);
    }
    end();
}
END_TEST

START_TEST(copy_rects)
{
    cl_event event;

    begin(orders[_i]);
    for (EACH(rects, r)) {
        const struct side *side = &rects[r].side, *flat = &rects[r].dense;

        must(clEnqueueCopyBufferRect(w.queue, w.buffer, other, side->origin, flat->origin,
                                     rects[r].region, side->row, side->slice, flat->row,
                                     flat->slice, 0, NULL, &event));
        done(event, CL_COMMAND_COPY_BUFFER_RECT);
        copy_rect(rects[r].region, other_model, flat, w.model, side);
        check_other();
        must(clEnqueueCopyBufferRect(w.queue, other, w.buffer, flat->origin, side->origin,
                                     rects[r].region, flat->row, flat->slice, side->row,
                                     side->slice, 0, NULL, &event));
        done(event, CL_COMMAND_COPY_BUFFER_RECT);
        world_check(&w); /* there and back */
        must(clEnqueueCopyBufferRect(w.queue, other, w.buffer, flat->origin, flat->origin,
                                     rects[r].region, flat->row, flat->slice, flat->row,
                                     flat->slice, 0, NULL, &event));
        done(event, CL_COMMAND_COPY_BUFFER_RECT);
        copy_rect(rects[r].region, w.model, flat, other_model, flat);
        world_check(&w);
    }
    end();
}
END_TEST

START_TEST(copy_rects_from_tiles_to_tiles)
{
    cl_event event;

    begin(orders[_i]);
    world_launch(&w, w.queue, w.step, other, 0, NULL, NULL);
    model_step(other_model, ITEMS);
    must(clFinish(w.queue));
    for (EACH(rects, r)) {
        const struct side *side = &rects[r].side, *flat = &rects[r].dense;

        must(clEnqueueCopyBufferRect(w.queue, w.buffer, other, side->origin, flat->origin,
                                     rects[r].region, side->row, side->slice, flat->row,
                                     flat->slice, 0, NULL, &event));
        done(event, CL_COMMAND_COPY_BUFFER_RECT);
        copy_rect(rects[r].region, other_model, flat, w.model, side);
        check_other();
    }
    end();
}
END_TEST

/* The areas are few: one is free again as soon as the program knows that its command
 * ended. */
static void wait_for_each_command(cl_command_queue_properties order)
{
    cl_event event;

    begin(order);
    for (unsigned i = 0; i < 3000; i++) {
        const size_t at = i * 17 % (BUFFER_BYTES - 4);
        cl_uint seen = 0;

        if (i % 3 == 0) {
            must(clEnqueueFillBuffer(w.queue, w.buffer, &i, 4, at & ~(size_t)3, 4, 0,
                                     NULL, &event));
            memcpy(w.model + (at & ~(size_t)3), &i, 4);
            must(clWaitForEvents(1, &event));
            must(clReleaseEvent(event));
        }
        must(
            clEnqueueReadBuffer(w.queue, w.buffer, CL_TRUE, at, 4, &seen, 0, NULL, NULL));
        ck_assert_mem_eq(&seen, w.model + at, 4);
    }
    end();
}

/* A case for each: stays_test.sh counts the areas of one queue. That of a queue that was
 * released is free when a marker behind it is done, for which no program waits. */
START_TEST(each_command_waited_for_in_order)
{
    wait_for_each_command(orders[0]);
}
END_TEST

START_TEST(each_command_waited_for_out_of_order)
{
    wait_for_each_command(orders[1]);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("staged");
    int failed;

    SUITE_CASES(suite, read_ranges, 2);
    SUITE_CASES(suite, write_ranges, 2);
    SUITE_CASES(suite, copy_ranges, 2);
    SUITE_CASES(suite, copy_from_tiles_to_tiles, 2);
    SUITE_CASES(suite, fill_ranges, 2);
    SUITE_CASES(suite, read_rects, 2);
    SUITE_CASES(suite, write_rects, 2);
    SUITE_CASES(suite, copy_rects, 2);
    SUITE_CASES(suite, copy_rects_from_tiles_to_tiles, 2);
    SUITE_CASE(suite, each_command_waited_for_in_order);
    SUITE_CASE(suite, each_command_waited_for_out_of_order);
    failed = suite_run(suite);
    world_end(&w);
    return failed;
}
