/* Claim: after a kernel has run on tiles, every command on its buffer, other kernels and
 * other views of the buffer see the program's own layout. One test an entry point; each
 * fails when the hook of its entry point is taken away. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include <CL/cl_ext.h>

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

static cl_mem other_buffer(unsigned char *bytes)
{
    cl_int err;
    cl_mem other;

    for (size_t i = 0; i < BUFFER_BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 + 3);
    other = clCreateBuffer(w.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                           BUFFER_BYTES, bytes, &err);
    must(err);
    return other;
}

START_TEST(copy_buffer_from)
{
    unsigned char bytes[BUFFER_BYTES], seen[BUFFER_BYTES];
    cl_mem other;

    world_begin(&w);
    other = other_buffer(bytes);
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
    other = other_buffer(bytes);
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
    other = other_buffer(bytes);
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
    other = other_buffer(bytes);
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

static cl_mem make_image(size_t width, size_t height, cl_mem of_buffer, size_t row_pitch,
                         cl_int *err)
{
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = width,
                          .image_height = height,
                          .image_row_pitch = row_pitch};

    desc.mem_object = of_buffer;
    return clCreateImage(w.context, CL_MEM_READ_WRITE, &format, &desc, NULL, err);
}

START_TEST(copy_buffer_to_and_from_image)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {8, 20, 1};
    unsigned char seen[8 * 20 * 4];
    cl_mem image;
    cl_int err;

    world_begin(&w);
    image = make_image(8, 20, NULL, 0, &err);
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
    other = other_buffer(before);
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

START_TEST(migrate)
{
    world_begin(&w);
    world_step(&w);
    must(clEnqueueMigrateMemObjects(w.queue, 1, &w.buffer, 0, 0, NULL, NULL));
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(kernel_without_annotation)
{
    world_begin(&w);
    world_step(&w);
    world_plain(&w);
    world_step(&w);
    world_plain(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(task)
{
    const cl_int n = ITEMS;

    /* A task runs one work-item: struct 0. */
    world_begin(&w);
    world_step(&w);
    must(clSetKernelArg(w.plain, 0, sizeof w.buffer, &w.buffer));
    must(clSetKernelArg(w.plain, 1, sizeof n, &n));
    must(clEnqueueTask(w.queue, w.plain, 0, NULL, NULL));
    model_plain(w.model, 1);
    must(clSetKernelArg(w.step, 0, sizeof w.buffer, &w.buffer));
    must(clEnqueueTask(w.queue, w.step, 0, NULL, NULL));
    model_step(w.model, 1);
    world_check(&w);
    world_end(&w);
}
END_TEST

struct native_args {
    unsigned char *bytes;
};

static void CL_CALLBACK add_one(void *args)
{
    struct native_args *native = args;

    for (size_t i = 0; i < BUFFER_BYTES; i += 5)
        native->bytes[i]++;
}

START_TEST(native_kernel)
{
    struct native_args args = {NULL};
    const void *places[] = {&args.bytes};
    cl_device_exec_capabilities capabilities = 0;

    world_begin(&w);
    world_step(&w);
    must(clGetDeviceInfo(w.device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof capabilities,
                         &capabilities, NULL));
    if (capabilities & CL_EXEC_NATIVE_KERNEL) {
        must(clEnqueueNativeKernel(w.queue, add_one, &args, sizeof args, 1, &w.buffer,
                                   places, 0, NULL, NULL));
        for (size_t i = 0; i < BUFFER_BYTES; i += 5)
            w.model[i]++;
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(sub_buffer)
{
    const cl_buffer_region region = {1024, 512};
    unsigned char seen[512];
    const cl_int n = 512 / sizeof(struct item);
    const size_t global = 64;
    cl_mem sub;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                            &region, &err);
    must(err);
    must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, w.model + 1024, 512);
    world_step(
        &w); /* the buffer has two names now: it must stay as the program wrote it */
    must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, w.model + 1024, 512);
    must(clSetKernelArg(w.step, 0, sizeof sub, &sub));
    must(clSetKernelArg(w.step, 1, sizeof n, &n));
    must(clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, NULL, 0, NULL, NULL));
    model_step(w.model + 1024, n);
    world_check(&w);
    must(clReleaseMemObject(sub));
    world_step(&w);
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(sub_buffer_outlives_the_name_of_its_buffer)
{
    const cl_buffer_region region = {1024, 512};
    unsigned char seen[512];
    cl_mem sub;
    cl_int err;

    world_begin(&w);
    sub = clCreateSubBuffer(w.buffer, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                            &region, &err);
    must(err);
    world_step(&w);
    must(clReleaseMemObject(w.buffer));
    w.buffer = NULL;
    must(clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 512, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, w.model + 1024, 512);
    must(clReleaseMemObject(sub));
    world_end(&w);
}
END_TEST

START_TEST(image_of_buffer)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {16, 16, 1};
    unsigned char seen[16 * 16 * 4];
    cl_mem image;
    cl_int err;

    world_begin(&w);
    world_step(&w);
    image = make_image(16, 16, w.buffer, 64, &err);
    if (err == CL_SUCCESS) {
        must(clEnqueueReadImage(w.queue, image, CL_TRUE, origin, region, 0, 0, seen, 0,
                                NULL, NULL));
        ck_assert_mem_eq(seen, w.model, sizeof seen);
        world_step(&w);
        must(clEnqueueReadImage(w.queue, image, CL_TRUE, origin, region, 0, 0, seen, 0,
                                NULL, NULL));
        ck_assert_mem_eq(seen, w.model, sizeof seen);
        must(clReleaseMemObject(image));
    }
    world_check(&w);
    world_end(&w);
}
END_TEST

START_TEST(command_buffer)
{
    clCreateCommandBufferKHR_fn create;
    clCommandCopyBufferKHR_fn copy;
    clCommandNDRangeKernelKHR_fn launch;
    clFinalizeCommandBufferKHR_fn finalize;
    clEnqueueCommandBufferKHR_fn enqueue;
    clReleaseCommandBufferKHR_fn release;
    unsigned char bytes[BUFFER_BYTES], seen[BUFFER_BYTES];
    const size_t global = ITEMS;
    const cl_int n = ITEMS;
    cl_command_buffer_khr commands;
    cl_mem other;
    cl_int err;

#define ADDRESS(name)                                                                    \
    (name##_fn) clGetExtensionFunctionAddressForPlatform(w.platform, #name)
    world_begin(&w);
    create = ADDRESS(clCreateCommandBufferKHR);
    copy = ADDRESS(clCommandCopyBufferKHR);
    launch = ADDRESS(clCommandNDRangeKernelKHR);
    finalize = ADDRESS(clFinalizeCommandBufferKHR);
    enqueue = ADDRESS(clEnqueueCommandBufferKHR);
    release = ADDRESS(clReleaseCommandBufferKHR);
    other = other_buffer(bytes);
    world_step(&w);
    if (create && copy && launch && finalize && enqueue && release) {
        commands = create(1, &w.queue, NULL, &err);
        must(err);
        must(copy(commands, NULL, w.buffer, other, 0, 0, BUFFER_BYTES, 0, NULL, NULL,
                  NULL));
        must(clSetKernelArg(w.plain, 0, sizeof w.buffer, &w.buffer));
        must(clSetKernelArg(w.plain, 1, sizeof n, &n));
        must(launch(commands, NULL, NULL, w.plain, 1, NULL, &global, NULL, 0, NULL, NULL,
                    NULL));
        must(finalize(commands));
        world_step(&w); /* recorded commands will see the buffer: no tiles any more */
        must(enqueue(0, NULL, commands, 0, NULL, NULL));
        must(clFinish(w.queue));
        must(clEnqueueReadBuffer(w.queue, other, CL_TRUE, 0, BUFFER_BYTES, seen, 0, NULL,
                                 NULL));
        ck_assert_mem_eq(seen, w.model, BUFFER_BYTES);
        model_plain(w.model, ITEMS);
        must(release(commands));
    }
    world_check(&w);
    must(clReleaseMemObject(other));
    world_end(&w);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("entry points");
    SRunner *runner;
    int failed;

#define CASE(name)                                                                       \
    do {                                                                                 \
        TCase *tcase = tcase_create(#name);                                              \
        tcase_set_timeout(tcase, 60);                                                    \
        tcase_add_test(tcase, name);                                                     \
        suite_add_tcase(suite, tcase);                                                   \
    } while (0)
    CASE(read_buffer_whole);
    CASE(read_buffer_part_not_blocking);
    CASE(read_buffer_rect);
    CASE(write_buffer_whole);
    CASE(write_buffer_part);
    CASE(write_buffer_that_fails_changes_nothing);
    CASE(write_buffer_rect);
    CASE(copy_buffer_from);
    CASE(copy_buffer_to);
    CASE(copy_buffer_of_tiles);
    CASE(copy_buffer_within);
    CASE(copy_buffer_rect);
    CASE(fill_buffer);
    CASE(copy_buffer_to_and_from_image);
    CASE(map_for_reading);
    CASE(map_for_writing);
    CASE(map_to_overwrite);
    CASE(kernel_while_mapped_for_reading);
    CASE(migrate);
    CASE(kernel_without_annotation);
    CASE(task);
    CASE(native_kernel);
    CASE(sub_buffer);
    CASE(sub_buffer_outlives_the_name_of_its_buffer);
    CASE(image_of_buffer);
    CASE(command_buffer);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK); /* drivers do not live through a fork */
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? 1 : 0;
}
