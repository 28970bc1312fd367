/* SPDX-License-Identifier: MIT */
/* Claim: after a kernel has run on tiles, a map of its buffer shows the program's own
 * layout, and what the host writes there arrives. */
#include "suite.h"
#include "world.h"

#include <stdint.h>
#include <string.h>

enum { PART = 3 * sizeof(struct item) + 4, PART_BYTES = 40 * sizeof(struct item) + 1 };

static struct world w;

static unsigned char *map(cl_map_flags flags, size_t offset, size_t bytes)
{
    cl_int err;
    unsigned char *mapped = clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, flags, offset,
                                               bytes, 0, NULL, NULL, &err);

    must(err);
    return mapped;
}

static void unmap(void *mapped)
{
    must(clEnqueueUnmapMemObject(w.queue, w.buffer, mapped, 0, NULL, NULL));
}

START_TEST(map_for_reading)
{
    unsigned char *mapped;

    world_begin(&w);
    world_step(&w);
    mapped = map(CL_MAP_READ, 0, BUFFER_BYTES);
    ck_assert_mem_eq(mapped, w.model, BUFFER_BYTES);
    unmap(mapped);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(map_for_writing)
{
    unsigned char *mapped;

    world_begin(&w);
    world_step(&w);
    mapped = map(CL_MAP_READ | CL_MAP_WRITE, PART, PART_BYTES);
    ck_assert_mem_eq(mapped, w.model + PART, PART_BYTES);
    memset(mapped, 0x3c, PART_BYTES);
    unmap(mapped);
    memset(w.model + PART, 0x3c, PART_BYTES);
    world_check(&w);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(map_to_overwrite)
{
    unsigned char *mapped;

    world_begin(&w);
    world_step(&w);
    mapped = map(CL_MAP_WRITE_INVALIDATE_REGION, 0, BUFFER_BYTES);
    memset(mapped, 0x4d, BUFFER_BYTES);
    unmap(mapped);
    memset(w.model, 0x4d, BUFFER_BYTES);
    world_check(&w);
    world_step(&w);
    mapped = map(CL_MAP_WRITE_INVALIDATE_REGION, PART, PART_BYTES);
    memset(mapped, 0x5e, PART_BYTES);
    unmap(mapped);
    memset(w.model + PART, 0x5e, PART_BYTES);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(kernel_while_mapped_for_reading)
{
    static unsigned char before[BUFFER_BYTES];
    unsigned char *mapped;
    cl_mem other;

    /* A kernel may read what the host has mapped for reading: here as a copy's source. */
    world_begin(&w);
    other = world_other(&w, before);
    world_step(&w);
    mapped = map(CL_MAP_READ, 0, BUFFER_BYTES);
    must(
        clEnqueueCopyBuffer(w.queue, w.buffer, other, 0, 0, BUFFER_BYTES, 0, NULL, NULL));
    world_launch(&w, w.queue, w.step, other, 0, NULL, NULL);
    must(clFinish(w.queue));
    ck_assert_mem_eq(mapped, w.model, BUFFER_BYTES);
    unmap(mapped);
    must(clReleaseMemObject(other));
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(brought_back_while_mapped)
{
    const cl_buffer_region region = {1024, 512};
    unsigned char *mapped, *whole, seen[512];
    cl_mem sub;
    cl_int err;

    /* What the host writes arrives also when the tiles are gone by then, and a map that
     * comes later shows it. */
    world_begin(&w);
    world_step(&w);
    mapped = map(CL_MAP_READ | CL_MAP_WRITE, PART, PART_BYTES);
    sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                            &region, &err);
    must(err);
    memset(mapped, 0x6f, PART_BYTES);
    memset(w.model + PART, 0x6f, PART_BYTES);
    if (world_maps_share(&w)) {
        whole = map(CL_MAP_READ, 0, BUFFER_BYTES);
        ck_assert_ptr_eq(whole + PART, mapped);
        ck_assert_mem_eq(whole, w.model, BUFFER_BYTES);
        unmap(mapped);
        unmap(whole);
    } else {
        unmap(mapped);
    }
    must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, w.model + 1024, 512);
    must(clReleaseMemObject(sub));
    world_check(&w);
    world_step(&w);
    mapped = map(CL_MAP_READ, PART, PART_BYTES);
    ck_assert_mem_eq(mapped, w.model + PART, PART_BYTES);
    unmap(mapped);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(tiled_while_mapped)
{
    static unsigned char before[BUFFER_BYTES];
    unsigned char *mapped;
    cl_mem other;

    /* The map is of the buffer in one layout, the unmap of it in another. */
    world_begin(&w);
    other = world_other(&w, before);
    world_step(&w);
    mapped = map(CL_MAP_READ, PART, PART_BYTES);
    must(
        clEnqueueCopyBuffer(w.queue, w.buffer, other, 0, 0, BUFFER_BYTES, 0, NULL, NULL));
    ck_assert_mem_eq(mapped, w.model + PART, PART_BYTES);
    unmap(mapped);
    world_plain(&w);
    world_step(&w);
    mapped = map(CL_MAP_WRITE, PART, PART_BYTES);
    memset(mapped, 0x21, PART_BYTES);
    memset(w.model + PART, 0x21, PART_BYTES);
    unmap(mapped);
    must(clReleaseMemObject(other));
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

/* Maps that stay open while commands use the buffer: OpenCL does not define what is seen,
 * but where a driver's maps are the buffer's own memory, programs rely on it. _i:
 * commands before the first map. */
START_TEST(open_maps_show_what_commands_write)
{
    const cl_uchar pattern = 0x5d;
    unsigned char *first, *mapped, bytes[PART_BYTES];
    cl_event done;

    world_begin(&w);
    for (int step = 0; step < _i; step++)
        world_step(&w);
    first = map(CL_MAP_READ, 0, BUFFER_BYTES);
    for (int round = 0; round < 3 && world_maps_share(&w); round++) {
        world_step(&w);
        must(clFinish(w.queue));
        ck_assert_mem_eq(first, w.model, BUFFER_BYTES);
        mapped = map(CL_MAP_READ, PART, PART_BYTES);
        ck_assert_mem_eq(mapped, w.model + PART, PART_BYTES);
        world_launch(&w, w.queue, w.step, w.buffer, 0, NULL, &done);
        model_step(w.model, ITEMS);
        must(clWaitForEvents(1, &done));
        must(clReleaseEvent(done));
        ck_assert_mem_eq(first, w.model, BUFFER_BYTES);
        memset(bytes, round, sizeof bytes);
        must(clEnqueueWriteBuffer(w.queue, w.buffer, CL_TRUE, PART, sizeof bytes, bytes,
                                  0, NULL, NULL));
        memset(w.model + PART, round, sizeof bytes);
        ck_assert_mem_eq(first, w.model, BUFFER_BYTES);
        must(clEnqueueFillBuffer(w.queue, w.buffer, &pattern, 1, PART + 3, PART_BYTES, 0,
                                 NULL, NULL));
        memset(w.model + PART + 3, pattern, PART_BYTES);
        world_plain(&w);
        must(clFinish(w.queue));
        ck_assert_mem_eq(first, w.model, BUFFER_BYTES);
        ck_assert_mem_eq(mapped, w.model + PART, PART_BYTES);
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(commands_see_what_is_written_by_open_maps)
{
    unsigned char *mapped;

    world_begin(&w);
    for (int step = 0; step < _i; step++)
        world_step(&w);
    mapped = map(CL_MAP_READ | CL_MAP_WRITE, PART, PART_BYTES);
    for (int round = 0; round < 4 && world_maps_share(&w); round++) {
        memset(mapped + round * 7, 0x30 + round, PART_BYTES / 2);
        memset(w.model + PART + round * 7, 0x30 + round, PART_BYTES / 2);
        if (round % 2)
            world_step(&w);
        world_check(&w);
        ck_assert_mem_eq(mapped, w.model + PART, PART_BYTES);
    }
    unmap(mapped);
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

/* As far as the buffer stays where it was. */
START_TEST(a_pointer_outlives_its_map)
{
    unsigned char *mapped;

    world_begin(&w);
    mapped = map(CL_MAP_READ | CL_MAP_WRITE, 0, BUFFER_BYTES);
    unmap(mapped);
    for (int round = 0; round < 3 && world_maps_share(&w); round++) {
        world_plain(&w);
        must(clFinish(w.queue));
        ck_assert_mem_eq(mapped, w.model, BUFFER_BYTES);
        memset(mapped + PART, round, PART_BYTES);
        memset(w.model + PART, round, PART_BYTES);
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

/* A driver's threads let go of events when they like, also while DL counts what an object
 * of its own adds to the context: one world out of three has to agree. */
START_TEST(reference_counts_are_the_programs)
{
    bool equal = false;
    unsigned char *mapped;

    for (int attempt = 0; attempt < 3 && !equal; attempt++) {
        cl_uint before;

        world_begin(&w);
        before = world_context_references(&w);
        world_step(&w);
        for (int round = 0; round < 3; round++) {
            mapped = map(CL_MAP_READ | CL_MAP_WRITE, PART, PART_BYTES);
            unmap(mapped);
        }
        must(clFinish(w.queue));
        SOON(world_buffer_references(&w), 1);
        equal = world_soon_has_references(&w, before);
        world_end(&w);
    }
    ck_assert(equal);
}
END_TEST

/* Maps and unmaps; *made says whether there was a map. */
static cl_int try_map(cl_mem buffer, cl_map_flags map_flags, size_t offset, size_t bytes,
                      bool *made)
{
    cl_int err = CL_SUCCESS;
    void *mapped = clEnqueueMapBuffer(w.queue, buffer, CL_TRUE, map_flags, offset, bytes,
                                      0, NULL, NULL, &err);

    *made = mapped != NULL;
    if (mapped)
        must(clEnqueueUnmapMemObject(w.queue, buffer, mapped, 0, NULL, NULL));
    return err;
}

/* What the driver says to such a map of a buffer that DL never touches. */
static cl_int drivers_map_error(cl_mem_flags flags, cl_map_flags map_flags, size_t offset,
                                size_t bytes, bool *made)
{
    cl_int err;
    cl_mem other = clCreateBuffer(w.context, flags | CL_MEM_COPY_HOST_PTR, BUFFER_BYTES,
                                  w.model, &err);

    must(err);
    err = try_map(other, map_flags, offset, bytes, made);
    must(clReleaseMemObject(other));
    return err;
}

START_TEST(maps_that_are_errors)
{
    static const struct {
        cl_mem_flags buffer;
        cl_map_flags map;
        size_t offset, bytes;
        cl_int err;
    } bad[] = {
        {0, CL_MAP_READ, 0, BUFFER_BYTES + 1, CL_INVALID_VALUE},
        {0, CL_MAP_READ, BUFFER_BYTES, 1, CL_INVALID_VALUE},
        {0, CL_MAP_READ, 8, SIZE_MAX - 4, CL_INVALID_VALUE},
        {0, CL_MAP_READ, 0, 0, CL_INVALID_VALUE},
        {0, CL_MAP_WRITE, BUFFER_BYTES + 1, 0, CL_INVALID_VALUE},
        {CL_MEM_HOST_NO_ACCESS, CL_MAP_READ, 0, 8, CL_INVALID_OPERATION},
        {CL_MEM_HOST_NO_ACCESS, CL_MAP_WRITE, 0, 8, CL_INVALID_OPERATION},
        {CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ, 0, 8, CL_INVALID_OPERATION},
        {CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE, 0, 8, CL_INVALID_OPERATION},
        {CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION, 0, 8,
         CL_INVALID_OPERATION},
    };
    cl_event none = NULL;
    bool made, wanted_made = false;
    cl_int err, wanted;

    world_begin(&w);
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        must(clReleaseMemObject(w.buffer));
        w.buffer = clCreateBuffer(w.context, bad[b].buffer | CL_MEM_COPY_HOST_PTR,
                                  BUFFER_BYTES, w.model, &err);
        must(err);
        world_step(&w);
        must(clFinish(w.queue));
        /* Not all drivers say what the specification says, which is what the list has. */
        wanted = world_is_cpu(&w)
                     ? bad[b].err
                     : drivers_map_error(bad[b].buffer, bad[b].map, bad[b].offset,
                                         bad[b].bytes, &wanted_made);
        err = try_map(w.buffer, bad[b].map, bad[b].offset, bad[b].bytes, &made);
        ck_assert_msg(made == wanted_made, "case %zu: a map: %d, not %d", b, made,
                      wanted_made);
        ck_assert_msg(err == wanted, "case %zu gives %d, not %d", b, err, wanted);
        ck_assert_ptr_null(clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ, 0,
                                              8, 1, NULL, NULL, NULL));
        if (world_is_cpu(&w))
            ck_assert_ptr_null(clEnqueueMapBuffer(w.queue, w.buffer, CL_TRUE, CL_MAP_READ,
                                                  0, 8, 1, &none, NULL, NULL));
        if (!bad[b].buffer)
            world_check(&w);
    }
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("maps");

    SUITE_CASE(suite, map_for_reading);
    SUITE_CASE(suite, map_for_writing);
    SUITE_CASE(suite, map_to_overwrite);
    SUITE_CASE(suite, kernel_while_mapped_for_reading);
    SUITE_CASE(suite, brought_back_while_mapped);
    SUITE_CASE(suite, tiled_while_mapped);
    SUITE_CASES(suite, open_maps_show_what_commands_write, 3);
    SUITE_CASES(suite, commands_see_what_is_written_by_open_maps, 3);
    SUITE_CASE(suite, a_pointer_outlives_its_map);
    SUITE_CASE(suite, reference_counts_are_the_programs);
    SUITE_CASE(suite, maps_that_are_errors);
    return suite_run(suite);
}
