/* SPDX-License-Identifier: MIT */
/* Claim: after a kernel has run on tiles, reads, writes, copies and fills of its buffer
 * see the program's own layout. One test an entry point; each fails when its hook is
 * taken away. */
#include "suite.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { PART = 3 * sizeof(struct item) + 4, PART_BYTES = 40 * sizeof(struct item) + 1 };

static struct world w;

START_TEST(read_buffer_whole)
{
    world_begin(&w);
    world_step(&w);
    world_check(&w);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(read_buffer_part_not_blocking)
{
    unsigned char seen[PART_BYTES];

    world_begin(&w);
    world_step(&w);
    must(clEnqueueReadBuffer(w.queue, w.buffer, CL_FALSE, PART, PART_BYTES, seen, 0, NULL,
                             NULL));
    must(clFinish(w.queue));
    ck_assert_mem_eq(seen, w.model + PART, PART_BYTES);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(read_buffer_rect)
{
    const size_t origin[3] = {5, 2, 0}, host_origin[3] = {0, 0, 0},
                 region[3] = {11, 30, 1};
    unsigned char seen[11 * 30];

    world_begin(&w);
    world_step(&w);
    must(clEnqueueReadBufferRect(w.queue, w.buffer, CL_TRUE, origin, host_origin, region,
                                 40, 0, 11, 0, seen, 0, NULL, NULL));
    for (size_t row = 0; row < 30; row++)
        ck_assert_mem_eq(seen + row * 11, w.model + (row + 2) * 40 + 5, 11);
    world_end(&w);
}
END_TEST

static void write_bytes(size_t offset, size_t bytes, cl_bool blocking)
{
    unsigned char *host = malloc(bytes);

    for (size_t i = 0; i < bytes; i++)
        host[i] = (unsigned char)(i * 13 + 1);
    must(clEnqueueWriteBuffer(w.queue, w.buffer, blocking, offset, bytes, host, 0, NULL,
                              NULL));
    must(clFinish(w.queue));
    memcpy(w.model + offset, host, bytes);
    free(host);
}

START_TEST(write_buffer_whole)
{
    world_begin(&w);
    world_step(&w);
    write_bytes(0, BUFFER_BYTES, CL_TRUE);
    world_check(&w);
    world_step(&w);
    write_bytes(0, BUFFER_BYTES, CL_FALSE);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(write_buffer_part)
{
    world_begin(&w);
    world_step(&w);
    write_bytes(PART, PART_BYTES, CL_TRUE);
    world_check(&w);
    world_step(&w);
    write_bytes(BUFFER_BYTES - 3, 3, CL_FALSE);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(write_buffer_that_fails_changes_nothing)
{
    unsigned char byte = 1;

    world_begin(&w);
    world_step(&w);
    ck_assert_int_ne(clEnqueueWriteBuffer(w.queue, w.buffer, CL_TRUE, BUFFER_BYTES, 1,
                                          &byte, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_ne(clEnqueueWriteBuffer(w.queue, w.buffer, CL_TRUE, 0, BUFFER_BYTES,
                                          NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(write_buffer_rect)
{
    const size_t origin[3] = {5, 2, 0}, host_origin[3] = {0, 0, 0},
                 region[3] = {11, 30, 1};
    unsigned char host[11 * 30];

    world_begin(&w);
    world_step(&w);
    for (size_t i = 0; i < sizeof host; i++)
        host[i] = (unsigned char)i;
    must(clEnqueueWriteBufferRect(w.queue, w.buffer, CL_TRUE, origin, host_origin, region,
                                  40, 0, 11, 0, host, 0, NULL, NULL));
    for (size_t row = 0; row < 30; row++)
        memcpy(w.model + (row + 2) * 40 + 5, host + row * 11, 11);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(copy_buffer_from)
{
    unsigned char bytes[BUFFER_BYTES], seen[BUFFER_BYTES];
    cl_mem other;

    world_begin(&w);
    other = world_other(&w, bytes);
    world_step(&w);
    must(clEnqueueCopyBuffer(w.queue, w.buffer, other, PART, 9, PART_BYTES, 0, NULL,
                             NULL));
    memcpy(bytes + 9, w.model + PART, PART_BYTES);
    must(clEnqueueReadBuffer(w.queue, other, CL_TRUE, 0, BUFFER_BYTES, seen, 0, NULL,
                             NULL));
    ck_assert_mem_eq(seen, bytes, BUFFER_BYTES);
    must(clReleaseMemObject(other));
    world_end(&w);
}
END_TEST

START_TEST(copy_buffer_to)
{
    unsigned char bytes[BUFFER_BYTES];
    cl_mem other;

    world_begin(&w);
    other = world_other(&w, bytes);
    world_step(&w);
    must(clEnqueueCopyBuffer(w.queue, other, w.buffer, 2, PART, PART_BYTES, 0, NULL,
                             NULL));
    memcpy(w.model + PART, bytes + 2, PART_BYTES);
    world_check(&w);
    world_step(&w);
    must(
        clEnqueueCopyBuffer(w.queue, other, w.buffer, 0, 0, BUFFER_BYTES, 0, NULL, NULL));
    memcpy(w.model, bytes, BUFFER_BYTES);
    world_check(&w);
    must(clReleaseMemObject(other));
    world_end(&w);
}
END_TEST

START_TEST(copy_buffer_of_tiles)
{
    unsigned char bytes[BUFFER_BYTES];
    cl_mem other;

    /* All of a tiled buffer into all of another, which then changes on its own. */
    world_begin(&w);
    other = world_other(&w, bytes);
    for (int round = 0; round < 4; round++) {
        world_step(&w);
        must(clEnqueueCopyBuffer(w.queue, w.buffer, other, 0, 0, BUFFER_BYTES, 0, NULL,
                                 NULL));
        memcpy(bytes, w.model, BUFFER_BYTES);
        if (round & 1)
            world_plain(&w);
        world_launch(&w, w.queue, round == 2 ? w.plain : w.step, other, 0, NULL, NULL);
        (round == 2 ? model_plain : model_step)(bytes, ITEMS);
        world_step(&w);
    }
    world_check(&w);
    must(clReleaseMemObject(w.buffer));
    w.buffer = other;
    memcpy(w.model, bytes, BUFFER_BYTES);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(copy_buffer_within)
{
    world_begin(&w);
    world_step(&w);
    must(clEnqueueCopyBuffer(w.queue, w.buffer, w.buffer, 0, 1000, 500, 0, NULL, NULL));
    memcpy(w.model + 1000, w.model, 500);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(copy_buffer_rect)
{
    const size_t from[3] = {5, 2, 0}, to[3] = {1, 0, 0}, region[3] = {11, 30, 1};
    unsigned char bytes[BUFFER_BYTES], seen[BUFFER_BYTES];
    cl_mem other;

    world_begin(&w);
    other = world_other(&w, bytes);
    world_step(&w);
    must(clEnqueueCopyBufferRect(w.queue, w.buffer, other, from, to, region, 40, 0, 40, 0,
                                 0, NULL, NULL));
    for (size_t row = 0; row < 30; row++)
        memcpy(bytes + row * 40 + 1, w.model + (row + 2) * 40 + 5, 11);
    must(clEnqueueReadBuffer(w.queue, other, CL_TRUE, 0, BUFFER_BYTES, seen, 0, NULL,
                             NULL));
    ck_assert_mem_eq(seen, bytes, BUFFER_BYTES);
    world_step(&w);
    must(clEnqueueCopyBufferRect(w.queue, other, w.buffer, from, to, region, 40, 0, 40, 0,
                                 0, NULL, NULL));
    for (size_t row = 0; row < 30; row++)
        memcpy(w.model + row * 40 + 1, bytes + (row + 2) * 40 + 5, 11);
    world_check(&w);
    must(clReleaseMemObject(other));
    world_end(&w);
}
END_TEST

START_TEST(fill_buffer)
{
    const cl_uint pattern = 0x01020304;

    world_begin(&w);
    world_step(&w);
    must(clEnqueueFillBuffer(w.queue, w.buffer, &pattern, 4, 40, 400, 0, NULL, NULL));
    for (size_t i = 40; i < 440; i += 4)
        memcpy(w.model + i, &pattern, 4);
    world_check(&w);
    world_step(&w);
    must(clEnqueueFillBuffer(w.queue, w.buffer, &pattern, 1, 0, BUFFER_BYTES, 0, NULL,
                             NULL));
    memset(w.model, 0x04, BUFFER_BYTES);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(copy_buffer_to_and_from_image)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {8, 20, 1};
    unsigned char seen[8 * 20 * 4];
    cl_mem image;
    cl_int err;

    world_begin(&w);
    image = world_image(&w, 8, 20, NULL, 0, &err);
    must(err);
    world_step(&w);
    must(clEnqueueCopyBufferToImage(w.queue, w.buffer, image, 100, origin, region, 0,
                                    NULL, NULL));
    must(clEnqueueReadImage(w.queue, image, CL_TRUE, origin, region, 0, 0, seen, 0, NULL,
                            NULL));
    ck_assert_mem_eq(seen, w.model + 100, sizeof seen);
    world_step(&w);
    must(clEnqueueCopyImageToBuffer(w.queue, image, w.buffer, origin, region, 200, 0,
                                    NULL, NULL));
    memcpy(w.model + 200, seen, sizeof seen);
    world_check(&w);
    must(clReleaseMemObject(image));
    world_end(&w);
}
END_TEST

START_TEST(migrate)
{
    world_begin(&w);
    world_step(&w);
    must(clEnqueueMigrateMemObjects(w.queue, 1, &w.buffer, 0, 0, NULL, NULL));
    world_check(&w);
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transfers");

    SUITE_CASE(suite, read_buffer_whole);
    SUITE_CASE(suite, read_buffer_part_not_blocking);
    SUITE_CASE(suite, read_buffer_rect);
    SUITE_CASE(suite, write_buffer_whole);
    SUITE_CASE(suite, write_buffer_part);
    SUITE_CASE(suite, write_buffer_that_fails_changes_nothing);
    SUITE_CASE(suite, write_buffer_rect);
    SUITE_CASE(suite, copy_buffer_from);
    SUITE_CASE(suite, copy_buffer_to);
    SUITE_CASE(suite, copy_buffer_of_tiles);
    SUITE_CASE(suite, copy_buffer_within);
    SUITE_CASE(suite, copy_buffer_rect);
    SUITE_CASE(suite, fill_buffer);
    SUITE_CASE(suite, copy_buffer_to_and_from_image);
    SUITE_CASE(suite, migrate);
    return suite_run(suite);
}
