/* Claim: after a kernel has run on tiles, a map of its buffer shows the program's own
 * layout, and what the host writes there arrives. */
#include "suite.h"
#include "world.h"

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

int main(void)
{
    Suite *suite = suite_create("maps");

    SUITE_CASE(suite, map_for_reading);
    SUITE_CASE(suite, map_for_writing);
    SUITE_CASE(suite, map_to_overwrite);
    SUITE_CASE(suite, kernel_while_mapped_for_reading);
    return suite_run(suite);
}
