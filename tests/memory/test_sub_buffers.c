/* SPDX-License-Identifier: MIT */
/* Claim: kernels run on sub-buffers of a buffer that is in tiles, wherever they begin and
 * end, and with whatever else happens to either; where a sub-buffer begins at a tile, on
 * the tiles (sub_buffers_test.sh counts). Origins are multiples of 16 structs (for all
 * devices that want no more than 128 bytes): 1232 is one of 77 and of 16, 2464 of 77 and
 * of 32. */
#include "parts.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Origin and end, in bytes; an end of 0 is the buffer's. */
static const size_t regions[][2] = {
    {0, (N / 2) * STRUCT},
    {0, 100},
    {16 * STRUCT, 17 * STRUCT},
    {32 * STRUCT, 0},
    {96 * STRUCT, 200 * STRUCT + 11},
    {1024, 1024 + 500 * STRUCT},
    {128, 0},
    {1232 * STRUCT, 0},
    {9 * 77 * STRUCT + 8, 0}, /* in the first struct of a tile of 77 */
    {2464 * STRUCT, 2500 * STRUCT},
    {3072 * STRUCT, 0}, /* the short last tile of 32 */
    {3088 * STRUCT, 0}, /* and of 8: one struct */
};

START_TEST(wherever_they_lie)
{
    size_t origin = regions[_i][0];
    size_t bytes = (regions[_i][1] ? regions[_i][1] : BYTES) - origin;
    cl_int n = (cl_int)(bytes / STRUCT);
    cl_mem sub;

    parts_begin();
    part_step(parts.root, 0, N);
    sub = part_of(origin, bytes, 0);
    part_step(sub, origin, n);
    part_total(sub, origin, n);
    part_step(parts.root, 0, N);
    part_total(sub, origin, n);
    part_plain(sub, origin, n);
    part_step(sub, origin, n / 2 + 1);
    part_total(parts.root, 0, N);
    part_check(sub, origin, bytes);
    parts_check();
    part_step(sub, origin, n);
    parts_check();
    must(clReleaseMemObject(sub));
    part_step(parts.root, 0, N);
    parts_end();
}
END_TEST

START_TEST(several_in_one_launch)
{
    cl_mem first, last, middle;

    parts_begin();
    first = part(0, 1232);
    last = part(2464, N - 2464);
    middle = part(96, 1000);
    for (int k = 0; k < 2; k++) {
        part_launch(parts.w.queue, parts.w.shift, first, last, N - 2464, 0, NULL, NULL);
        model_shift(parts.model, parts.model + 2464 * STRUCT, N - 2464);
        part_launch(parts.w.queue, parts.w.shift, last, first, N - 2464, 0, NULL, NULL);
        model_shift(parts.model + 2464 * STRUCT, parts.model, N - 2464);
        part_launch(parts.w.queue, parts.w.shift, parts.root, last, 600, 0, NULL, NULL);
        model_shift(parts.model, parts.model + 2464 * STRUCT, 600);
        part_launch(parts.w.queue, parts.w.shift, last, parts.root, 600, 0, NULL, NULL);
        model_shift(parts.model + 2464 * STRUCT, parts.model, 600);
        part_launch(parts.w.queue, parts.w.shift, middle, middle, 1000, 0, NULL, NULL);
        model_shift(parts.model + 96 * STRUCT, parts.model + 96 * STRUCT, 1000);
        part_launch(parts.w.queue, parts.w.shift, middle, parts.w.buffer, ITEMS, 0, NULL,
                    NULL);
        model_shift(parts.model + 96 * STRUCT, parts.w.model, ITEMS);
        if (k == 0)
            parts_check();
    }
    must(clReleaseMemObject(middle));
    must(clReleaseMemObject(last));
    must(clReleaseMemObject(first));
    parts_end();
}
END_TEST

/* The buffer in tiles before each command. */
START_TEST(commands_in_between)
{
    enum { AT = 768, COUNT = 1000 };
    const size_t at = AT * STRUCT, bytes = COUNT * STRUCT, origin[3] = {7, 3, 0},
                 host_origin[3] = {0, 0, 0}, region[3] = {50, 4, 1};
    static unsigned char patch[BYTES];
    unsigned char *map;
    cl_mem sub, other;
    cl_int err;

    parts_begin();
    sub = part(AT, COUNT);
    memset(patch, 0x3c, sizeof patch);
    part_step(sub, at, COUNT);
    part_check(sub, at, bytes);
    part_step(parts.root, 0, N);
    must(
        clEnqueueWriteBuffer(parts.w.queue, sub, CL_TRUE, 33, 999, patch, 0, NULL, NULL));
    memcpy(parts.model + at + 33, patch, 999);
    part_step(sub, at, COUNT);
    must(clEnqueueWriteBuffer(parts.w.queue, parts.root, CL_TRUE, at - 5, 777, patch, 0,
                              NULL, NULL));
    memcpy(parts.model + at - 5, patch, 777);
    part_step(sub, at, COUNT);
    must(clEnqueueWriteBuffer(parts.w.queue, sub, CL_TRUE, 0, bytes, patch, 0, NULL,
                              NULL));
    memcpy(parts.model + at, patch, bytes);
    part_total(parts.root, 0, N);
    part_step(sub, at, COUNT);
    must(clEnqueueReadBufferRect(parts.w.queue, sub, CL_TRUE, origin, host_origin, region,
                                 100, 0, 50, 0, patch, 0, NULL, NULL));
    for (size_t y = 0; y < 4; y++)
        ck_assert_mem_eq(patch + y * 50, parts.model + at + 7 + (y + 3) * 100, 50);
    part_step(sub, at, COUNT);
    must(clEnqueueFillBuffer(parts.w.queue, sub, "\7\6\5\4", 4, 64, 400, 0, NULL, NULL));
    for (size_t i = 0; i < 400; i++)
        parts.model[at + 64 + i] = (unsigned char)(7 - i % 4);
    part_step(parts.root, 0, N);
    map = clEnqueueMapBuffer(parts.w.queue, sub, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 10,
                             500, 0, NULL, NULL, &err);
    must(err);
    ck_assert_mem_eq(map, parts.model + at + 10, 500);
    memset(map, 0x5a, 100);
    memset(parts.model + at + 10, 0x5a, 100);
    must(clEnqueueUnmapMemObject(parts.w.queue, sub, map, 0, NULL, NULL));
    part_step(sub, at, COUNT);
    map = clEnqueueMapBuffer(parts.w.queue, parts.root, CL_TRUE,
                             CL_MAP_READ | CL_MAP_WRITE, at, 500, 0, NULL, NULL, &err);
    must(err);
    ck_assert_mem_eq(map, parts.model + at, 500);
    memset(map, 0x7b, 100);
    memset(parts.model + at, 0x7b, 100);
    must(clEnqueueUnmapMemObject(parts.w.queue, parts.root, map, 0, NULL, NULL));
    part_step(sub, at, COUNT);
    /* Copies from the buffer to its sub-buffer and back, and to and from another in
     * tiles. */
    must(clEnqueueCopyBuffer(parts.w.queue, parts.root, sub, 0, 48, 960, 0, NULL, NULL));
    memcpy(parts.model + at + 48, parts.model, 960);
    part_step(sub, at, COUNT);
    must(
        clEnqueueCopyBuffer(parts.w.queue, sub, parts.root, 100, 7, 2000, 0, NULL, NULL));
    memcpy(parts.model + 7, parts.model + at + 100, 2000);
    other = clCreateBuffer(parts.w.context, CL_MEM_COPY_HOST_PTR, bytes, patch, &err);
    must(err);
    part_step(sub, at, COUNT);
    part_launch(parts.w.queue, parts.w.step, other, NULL, COUNT, 0, NULL, NULL);
    model_step(patch, COUNT);
    must(clEnqueueCopyBuffer(parts.w.queue, other, sub, 0, 0, 5000, 0, NULL, NULL));
    memcpy(parts.model + at, patch, 5000);
    part_step(sub, at, COUNT);
    must(clEnqueueCopyBuffer(parts.w.queue, sub, other, 0, 0, bytes, 0, NULL, NULL));
    memcpy(patch, parts.model + at, bytes);
    part_launch(parts.w.queue, parts.w.step, other, NULL, COUNT, 0, NULL, NULL);
    model_step(patch, COUNT);
    /* No rectangle is copied: PoCL 3.1 crashes where one is of a sub-buffer. */
    part_step(sub, at, COUNT);
    must(clEnqueueMigrateMemObjects(parts.w.queue, 1, &sub, CL_MIGRATE_MEM_OBJECT_HOST, 0,
                                    NULL, NULL));
    must(clReleaseMemObject(other));
    must(clReleaseMemObject(sub));
    parts_end();
}
END_TEST

/* Overlapping ones, in an order that the program's events make. */
START_TEST(on_two_queues)
{
    cl_command_queue queues[2] = {NULL, NULL};
    cl_event last = NULL, event;
    cl_mem subs[3];
    const cl_int first[3] = {0, 768, 1232}, count[3] = {1000, 1500, N - 1232};

    parts_begin();
    queues[0] = world_queue(&parts.w, 0);
    queues[1] = world_queue(&parts.w, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int p = 0; p < 3; p++)
        subs[p] = part((size_t)first[p], (size_t)count[p]);
    for (int k = 0; k < 24; k++) {
        bool whole = k % 7 == 6;
        int p = k % 3;
        cl_kernel kernel = k % 11 == 10 ? parts.w.plain : parts.w.step;

        part_launch(queues[k % 2], kernel, whole ? parts.root : subs[p], NULL,
                    whole ? N : count[p], last ? 1 : 0, last ? &last : NULL, &event);
        (kernel == parts.w.plain ? model_plain : model_step)(
            parts.model + (whole ? 0 : first[p] * STRUCT), whole ? N : count[p]);
        if (last)
            must(clReleaseEvent(last));
        last = event;
        must(clFlush(queues[k % 2]));
    }
    must(clWaitForEvents(1, &last));
    must(clReleaseEvent(last));
    parts_check();
    for (int p = 0; p < 3; p++)
        must(clReleaseMemObject(subs[p]));
    for (int q = 0; q < 2; q++)
        must(clReleaseCommandQueue(queues[q]));
    parts_end();
}
END_TEST

/* Disjoint ones on two queues that know nothing of each other. */
START_TEST(side_by_side)
{
    cl_command_queue queue;
    cl_mem low, high;

    parts_begin();
    queue = world_queue(&parts.w, 0);
    low = part(0, 1200);
    high = part(1232, N - 1232);
    for (int k = 0; k < 5; k++) {
        part_step(low, 0, 1200);
        part_launch(queue, parts.w.step, high, NULL, N - 1232, 0, NULL, NULL);
        model_step(parts.model + 1232 * STRUCT, N - 1232);
        if (k == 2)
            part_check(low, 0, 1200 * STRUCT);
    }
    must(clFinish(queue));
    must(clReleaseMemObject(low));
    must(clReleaseMemObject(high));
    must(clReleaseCommandQueue(queue));
    parts_end();
}
END_TEST

/* What DL must not write has its tiles in a copy, and a sub-buffer is part of that. */
START_TEST(of_buffers_that_are_copied)
{
    static const cl_mem_flags flags[] = {CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR,
                                         CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY};
    cl_mem sub;

    parts_begin_with(flags[_i]);
    sub = part(2464, N - 2464);
    part_total(parts.root, 0, N);
    part_total(sub, 2464 * STRUCT, N - 2464);
    must(clEnqueueWriteBuffer(parts.w.queue, sub, CL_TRUE, 50, 500, parts.w.model, 0,
                              NULL, NULL));
    memcpy(parts.model + 2464 * STRUCT + 50, parts.w.model, 500);
    part_total(sub, 2464 * STRUCT, N - 2464);
    if (!(flags[_i] & CL_MEM_READ_ONLY)) {
        part_step(sub, 2464 * STRUCT, N - 2464);
        part_total(sub, 2464 * STRUCT, N - 2464);
        part_plain(sub, 2464 * STRUCT, N - 2464);
    }
    part_total(sub, 2464 * STRUCT, N - 2464);
    part_total(parts.root, 0, N);
    must(clReleaseMemObject(sub));
    part_total(parts.root, 0, N);
    parts_end();
}
END_TEST

START_TEST(that_are_read_only)
{
    cl_mem sub;

    parts_begin();
    sub = part_of(2464 * STRUCT, (N - 2464) * STRUCT,
                  CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
    part_step(parts.root, 0, N);
    part_total(sub, 2464 * STRUCT, N - 2464);
    ck_assert_int_eq(clEnqueueReadBuffer(parts.w.queue, sub, CL_TRUE, 0, 8, parts.w.model,
                                         0, NULL, NULL),
                     CL_INVALID_OPERATION);
    part_total(sub, 2464 * STRUCT, N - 2464);
    must(clReleaseMemObject(sub));
    parts_end();
}
END_TEST

/* The argument keeps what the program has set, whatever stood in for it. */
START_TEST(argument_set_once)
{
    const size_t global = 1024, local = 64;
    cl_mem sub;

    parts_begin();
    sub = part(0, 1000);
    for (int k = 0; k < 4; k++) {
        if (k == 0)
            part_step(sub, 0, 1000);
        else
            must(clEnqueueNDRangeKernel(parts.w.queue, parts.w.step, 1, NULL, &global,
                                        &local, 0, NULL, NULL));
        if (k > 0)
            model_step(parts.model, 1000);
        if (k == 1)
            part_plain(parts.root, 0, N);
        part_total(sub, 0, 900);
    }
    must(clReleaseMemObject(sub));
    parts_end();
}
END_TEST

START_TEST(that_outlive_the_name_of_their_buffer)
{
    cl_mem sub;

    parts_begin();
    sub = part(2464, N - 2464);
    part_step(parts.root, 0, N);
    must(clReleaseMemObject(parts.root));
    parts.root = NULL;
    part_step(sub, 2464 * STRUCT, N - 2464);
    part_total(sub, 2464 * STRUCT, N - 2464);
    part_check(sub, 2464 * STRUCT, (N - 2464) * STRUCT);
    part_step(sub, 2464 * STRUCT, N - 2464);
    must(clReleaseMemObject(sub));
    parts_end();
}
END_TEST

/* ---- for the counts in sub_buffers_test.sh */

START_TEST(stays_in_tiles)
{
    cl_mem low, high;

    parts_begin();
    low = part(0, 1000);
    high = part(2464, N - 2464 - 3);
    for (int k = 0; k < 3; k++) {
        part_step(high, 2464 * STRUCT, N - 2464 - 3);
        part_step(parts.root, 0, N);
        part_step(low, 0, 1000);
    }
    part_launch(parts.w.queue, parts.w.shift, low, high, 500, 0, NULL, NULL);
    model_shift(parts.model, parts.model + 2464 * STRUCT, 500);
    part_total(high, 2464 * STRUCT, 500);
    parts_check();
    must(clReleaseMemObject(low));
    must(clReleaseMemObject(high));
    parts_end();
}
END_TEST

START_TEST(from_the_first_struct)
{
    cl_mem low;

    parts_begin();
    low = part(0, 1000);
    part_step(low, 0, 1000);
    part_step(parts.root, 0, N);
    must(clReleaseMemObject(low));
    parts_end();
}
END_TEST

START_TEST(begins_elsewhere)
{
    cl_mem in_struct, in_tile;

    parts_begin();
    in_struct = part_of(1024, 500 * STRUCT, 0);
    in_tile = part(16 + 32, 500);
    part_step(in_struct, 1024, 500);
    part_step(in_struct, 1024, 500);
    part_total(in_tile, 48 * STRUCT, 500);
    must(clReleaseMemObject(in_tile));
    must(clReleaseMemObject(in_struct));
    parts_end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sub-buffers");
    int failed;

    if (getenv("TWO_DEVICES"))
        world_devices = 2;
    SUITE_CASES(suite, wherever_they_lie, (int)(sizeof regions / sizeof *regions));
    SUITE_CASE(suite, several_in_one_launch);
    SUITE_CASE(suite, commands_in_between);
    SUITE_CASE(suite, on_two_queues);
    SUITE_CASE(suite, side_by_side);
    SUITE_CASES(suite, of_buffers_that_are_copied, 3);
    SUITE_CASE(suite, that_are_read_only);
    SUITE_CASE(suite, argument_set_once);
    SUITE_CASE(suite, that_outlive_the_name_of_their_buffer);
    SUITE_CASE(suite, stays_in_tiles);
    SUITE_CASE(suite, from_the_first_struct);
    SUITE_CASE(suite, begins_elsewhere);
    failed = suite_run(suite);
    if (!failed)
        world_end(&parts.w);
    return failed;
}
