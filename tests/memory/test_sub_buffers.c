/* Claim: kernels run on sub-buffers of a buffer that is in tiles, wherever they begin and end, and
 * with whatever else happens to either; where a sub-buffer begins at a tile, on the tiles
 * (sub_buffers_test.sh counts). Origins are multiples of 16 structs (for all devices that want no
 * more than 128 bytes): 1232 is one of 77 and of 16, 2464 of 77 and of 32. */
#include "suite.h"
#include "world.h"

#include <stdlib.h>
#include <string.h>

enum { N = 3089, STRUCT = sizeof(struct item), BYTES = N * STRUCT + 5 };

static struct world w;
static cl_mem root, totals;
static unsigned char model[BYTES], *host;

static void begin_with(cl_mem_flags flags)
{
    void *from = model;
    cl_int err;

    if (!w.context) /* one for all cases */
        world_begin(&w);
    for (size_t i = 0; i < BYTES; i++)
        model[i] = (unsigned char)(i * 13 + i / 251);
    host = NULL;
    if (flags & CL_MEM_USE_HOST_PTR)
        from = host =
            memcpy(aligned_alloc(4096, (BYTES + 4095) / 4096 * 4096), model, BYTES);
    root = clCreateBuffer(w.context, flags | (host ? 0 : CL_MEM_COPY_HOST_PTR), BYTES,
                          from, &err);
    must(err);
    totals = clCreateBuffer(w.context, 0, N * sizeof(cl_int), NULL, &err);
    must(err);
}

static void begin(void)
{
    begin_with(CL_MEM_READ_WRITE);
}

static void check_root(void)
{
    static unsigned char seen[BYTES];

    must(clEnqueueReadBuffer(w.queue, root, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL));
    for (size_t i = 0; i < BYTES; i++)
        ck_assert_msg(seen[i] == model[i], "byte %zu (struct %zu): %u, not %u", i,
                      i / STRUCT, seen[i], model[i]);
}

static void end(void)
{
    if (root) {
        check_root();
        must(clReleaseMemObject(root));
    }
    must(clReleaseMemObject(totals));
    must(clFinish(w.queue));
    free(host);
}

static cl_mem part_of(size_t origin_bytes, size_t bytes, cl_mem_flags flags)
{
    const cl_buffer_region region = {origin_bytes, bytes};
    cl_int err;
    cl_mem part =
        clCreateSubBuffer(root, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);

    must(err);
    return part;
}

/* By structs. */
static cl_mem part(size_t first, size_t structs)
{
    return part_of(first * STRUCT, structs * STRUCT, 0);
}

static void launch_on(cl_command_queue queue, cl_kernel kernel, cl_mem mem, cl_mem second,
                      cl_int n, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    /* PoCL compiles a kernel anew for each local size. */
    const size_t local = 64, global = ((size_t)n + local) / local * local;
    cl_uint index = 0;

    must(clSetKernelArg(kernel, index++, sizeof mem, &mem));
    if (second)
        must(clSetKernelArg(kernel, index++, sizeof second, &second));
    must(clSetKernelArg(kernel, index++, sizeof n, &n));
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, wait_count, wait,
                                event));
}

static void step(cl_mem mem, size_t first_byte, cl_int n)
{
    launch_on(w.queue, w.step, mem, NULL, n, 0, NULL, NULL);
    model_step(model + first_byte, n);
}

static void plain(cl_mem mem, size_t first_byte, cl_int n)
{
    launch_on(w.queue, w.plain, mem, NULL, n, 0, NULL, NULL);
    model_plain(model + first_byte, n);
}

static void total(cl_mem mem, size_t first_byte, cl_int n)
{
    static cl_int seen[N], want[N];

    launch_on(w.queue, w.total, mem, totals, n, 0, NULL, NULL);
    must(clEnqueueReadBuffer(w.queue, totals, CL_TRUE, 0, (size_t)n * sizeof *seen, seen,
                             0, NULL, NULL));
    model_total(model + first_byte, want, n);
    ck_assert_mem_eq(seen, want, (size_t)n * sizeof *seen);
}

static void check_part(cl_mem mem, size_t first_byte, size_t bytes)
{
    static unsigned char seen[BYTES];

    must(clEnqueueReadBuffer(w.queue, mem, CL_TRUE, 0, bytes, seen, 0, NULL, NULL));
    ck_assert_mem_eq(seen, model + first_byte, bytes);
}

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

    begin();
    step(root, 0, N);
    sub = part_of(origin, bytes, 0);
    step(sub, origin, n);
    total(sub, origin, n);
    step(root, 0, N);
    total(sub, origin, n);
    plain(sub, origin, n);
    step(sub, origin, n / 2 + 1);
    total(root, 0, N);
    check_part(sub, origin, bytes);
    check_root();
    step(sub, origin, n);
    check_root();
    must(clReleaseMemObject(sub));
    step(root, 0, N);
    end();
}
END_TEST

START_TEST(several_in_one_launch)
{
    cl_mem first, last, middle;

    begin();
    first = part(0, 1232);
    last = part(2464, N - 2464);
    middle = part(96, 1000);
    for (int k = 0; k < 2; k++) {
        launch_on(w.queue, w.shift, first, last, N - 2464, 0, NULL, NULL);
        model_shift(model, model + 2464 * STRUCT, N - 2464);
        launch_on(w.queue, w.shift, last, first, N - 2464, 0, NULL, NULL);
        model_shift(model + 2464 * STRUCT, model, N - 2464);
        launch_on(w.queue, w.shift, root, last, 600, 0, NULL, NULL);
        model_shift(model, model + 2464 * STRUCT, 600);
        launch_on(w.queue, w.shift, last, root, 600, 0, NULL, NULL);
        model_shift(model + 2464 * STRUCT, model, 600);
        launch_on(w.queue, w.shift, middle, middle, 1000, 0, NULL, NULL);
        model_shift(model + 96 * STRUCT, model + 96 * STRUCT, 1000);
        launch_on(w.queue, w.shift, middle, w.buffer, ITEMS, 0, NULL, NULL);
        model_shift(model + 96 * STRUCT, w.model, ITEMS);
        if (k == 0)
            check_root();
    }
    must(clReleaseMemObject(middle));
    must(clReleaseMemObject(last));
    must(clReleaseMemObject(first));
    end();
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

    begin();
    sub = part(AT, COUNT);
    memset(patch, 0x3c, sizeof patch);
    step(sub, at, COUNT);
    check_part(sub, at, bytes);
    step(root, 0, N);
    must(clEnqueueWriteBuffer(w.queue, sub, CL_TRUE, 33, 999, patch, 0, NULL, NULL));
    memcpy(model + at + 33, patch, 999);
    step(sub, at, COUNT);
    must(clEnqueueWriteBuffer(w.queue, root, CL_TRUE, at - 5, 777, patch, 0, NULL, NULL));
    memcpy(model + at - 5, patch, 777);
    step(sub, at, COUNT);
    must(clEnqueueWriteBuffer(w.queue, sub, CL_TRUE, 0, bytes, patch, 0, NULL, NULL));
    memcpy(model + at, patch, bytes);
    total(root, 0, N);
    step(sub, at, COUNT);
    must(clEnqueueReadBufferRect(w.queue, sub, CL_TRUE, origin, host_origin, region, 100,
                                 0, 50, 0, patch, 0, NULL, NULL));
    for (size_t y = 0; y < 4; y++)
        ck_assert_mem_eq(patch + y * 50, model + at + 7 + (y + 3) * 100, 50);
    step(sub, at, COUNT);
    must(clEnqueueFillBuffer(w.queue, sub, "\7\6\5\4", 4, 64, 400, 0, NULL, NULL));
    for (size_t i = 0; i < 400; i++)
        model[at + 64 + i] = (unsigned char)(7 - i % 4);
    step(root, 0, N);
    map = clEnqueueMapBuffer(w.queue, sub, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 10, 500,
                             0, NULL, NULL, &err);
    must(err);
    ck_assert_mem_eq(map, model + at + 10, 500);
    memset(map, 0x5a, 100);
    memset(model + at + 10, 0x5a, 100);
    must(clEnqueueUnmapMemObject(w.queue, sub, map, 0, NULL, NULL));
    step(sub, at, COUNT);
    map = clEnqueueMapBuffer(w.queue, root, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, at, 500,
                             0, NULL, NULL, &err);
    must(err);
    ck_assert_mem_eq(map, model + at, 500);
    memset(map, 0x7b, 100);
    memset(model + at, 0x7b, 100);
    must(clEnqueueUnmapMemObject(w.queue, root, map, 0, NULL, NULL));
    step(sub, at, COUNT);
    /* Copies from the buffer to its sub-buffer and back, and to and from another in tiles. */
    must(clEnqueueCopyBuffer(w.queue, root, sub, 0, 48, 960, 0, NULL, NULL));
    memcpy(model + at + 48, model, 960);
    step(sub, at, COUNT);
    must(clEnqueueCopyBuffer(w.queue, sub, root, 100, 7, 2000, 0, NULL, NULL));
    memcpy(model + 7, model + at + 100, 2000);
    other = clCreateBuffer(w.context, CL_MEM_COPY_HOST_PTR, bytes, patch, &err);
    must(err);
    step(sub, at, COUNT);
    launch_on(w.queue, w.step, other, NULL, COUNT, 0, NULL, NULL);
    model_step(patch, COUNT);
    must(clEnqueueCopyBuffer(w.queue, other, sub, 0, 0, 5000, 0, NULL, NULL));
    memcpy(model + at, patch, 5000);
    step(sub, at, COUNT);
    must(clEnqueueCopyBuffer(w.queue, sub, other, 0, 0, bytes, 0, NULL, NULL));
    memcpy(patch, model + at, bytes);
    launch_on(w.queue, w.step, other, NULL, COUNT, 0, NULL, NULL);
    model_step(patch, COUNT);
    /* No rectangle is copied: PoCL 3.1 crashes where one is of a sub-buffer. */
    step(sub, at, COUNT);
    must(clEnqueueMigrateMemObjects(w.queue, 1, &sub, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                    NULL));
    must(clReleaseMemObject(other));
    must(clReleaseMemObject(sub));
    end();
}
END_TEST

/* Overlapping ones, in an order that the program's events make. */
START_TEST(on_two_queues)
{
    cl_command_queue queues[2] = {NULL, NULL};
    cl_event last = NULL, event;
    cl_mem parts[3];
    const cl_int first[3] = {0, 768, 1232}, count[3] = {1000, 1500, N - 1232};

    begin();
    queues[0] = world_queue(&w, 0);
    queues[1] = world_queue(&w, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int p = 0; p < 3; p++)
        parts[p] = part((size_t)first[p], (size_t)count[p]);
    for (int k = 0; k < 24; k++) {
        bool whole = k % 7 == 6;
        int p = k % 3;
        cl_kernel kernel = k % 11 == 10 ? w.plain : w.step;

        launch_on(queues[k % 2], kernel, whole ? root : parts[p], NULL,
                  whole ? N : count[p], last ? 1 : 0, last ? &last : NULL, &event);
        (kernel == w.plain ? model_plain : model_step)(
            model + (whole ? 0 : first[p] * STRUCT), whole ? N : count[p]);
        if (last)
            must(clReleaseEvent(last));
        last = event;
        must(clFlush(queues[k % 2]));
    }
    must(clWaitForEvents(1, &last));
    must(clReleaseEvent(last));
    check_root();
    for (int p = 0; p < 3; p++)
        must(clReleaseMemObject(parts[p]));
    for (int q = 0; q < 2; q++)
        must(clReleaseCommandQueue(queues[q]));
    end();
}
END_TEST

/* Disjoint ones on two queues that know nothing of each other. */
START_TEST(side_by_side)
{
    cl_command_queue queue;
    cl_mem low, high;

    begin();
    queue = world_queue(&w, 0);
    low = part(0, 1200);
    high = part(1232, N - 1232);
    for (int k = 0; k < 5; k++) {
        step(low, 0, 1200);
        launch_on(queue, w.step, high, NULL, N - 1232, 0, NULL, NULL);
        model_step(model + 1232 * STRUCT, N - 1232);
        if (k == 2)
            check_part(low, 0, 1200 * STRUCT);
    }
    must(clFinish(queue));
    must(clReleaseMemObject(low));
    must(clReleaseMemObject(high));
    must(clReleaseCommandQueue(queue));
    end();
}
END_TEST

/* What DL must not write has its tiles in a copy, and a sub-buffer is part of that. */
START_TEST(of_buffers_that_are_copied)
{
    static const cl_mem_flags flags[] = {CL_MEM_READ_ONLY, CL_MEM_USE_HOST_PTR,
                                         CL_MEM_USE_HOST_PTR | CL_MEM_READ_ONLY};
    cl_mem sub;

    begin_with(flags[_i]);
    sub = part(2464, N - 2464);
    total(root, 0, N);
    total(sub, 2464 * STRUCT, N - 2464);
    must(clEnqueueWriteBuffer(w.queue, sub, CL_TRUE, 50, 500, w.model, 0, NULL, NULL));
    memcpy(model + 2464 * STRUCT + 50, w.model, 500);
    total(sub, 2464 * STRUCT, N - 2464);
    if (!(flags[_i] & CL_MEM_READ_ONLY)) {
        step(sub, 2464 * STRUCT, N - 2464);
        total(sub, 2464 * STRUCT, N - 2464);
        plain(sub, 2464 * STRUCT, N - 2464);
    }
    total(sub, 2464 * STRUCT, N - 2464);
    total(root, 0, N);
    must(clReleaseMemObject(sub));
    total(root, 0, N);
    end();
}
END_TEST

START_TEST(that_are_read_only)
{
    cl_mem sub;

    begin();
    sub = part_of(2464 * STRUCT, (N - 2464) * STRUCT,
                  CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
    step(root, 0, N);
    total(sub, 2464 * STRUCT, N - 2464);
    ck_assert_int_eq(
        clEnqueueReadBuffer(w.queue, sub, CL_TRUE, 0, 8, w.model, 0, NULL, NULL),
        CL_INVALID_OPERATION);
    total(sub, 2464 * STRUCT, N - 2464);
    must(clReleaseMemObject(sub));
    end();
}
END_TEST

/* The argument keeps what the program has set, whatever stood in for it. */
START_TEST(argument_set_once)
{
    const size_t global = 1024, local = 64;
    cl_mem sub;

    begin();
    sub = part(0, 1000);
    for (int k = 0; k < 4; k++) {
        if (k == 0)
            step(sub, 0, 1000);
        else
            must(clEnqueueNDRangeKernel(w.queue, w.step, 1, NULL, &global, &local, 0,
                                        NULL, NULL));
        if (k > 0)
            model_step(model, 1000);
        if (k == 1)
            plain(root, 0, N);
        total(sub, 0, 900);
    }
    must(clReleaseMemObject(sub));
    end();
}
END_TEST

START_TEST(that_outlive_the_name_of_their_buffer)
{
    cl_mem sub;

    begin();
    sub = part(2464, N - 2464);
    step(root, 0, N);
    must(clReleaseMemObject(root));
    root = NULL;
    step(sub, 2464 * STRUCT, N - 2464);
    total(sub, 2464 * STRUCT, N - 2464);
    check_part(sub, 2464 * STRUCT, (N - 2464) * STRUCT);
    step(sub, 2464 * STRUCT, N - 2464);
    must(clReleaseMemObject(sub));
    end();
}
END_TEST

/* ---- for the counts in sub_buffers_test.sh */

START_TEST(stays_in_tiles)
{
    cl_mem low, high;

    begin();
    low = part(0, 1000);
    high = part(2464, N - 2464 - 3);
    for (int k = 0; k < 3; k++) {
        step(high, 2464 * STRUCT, N - 2464 - 3);
        step(root, 0, N);
        step(low, 0, 1000);
    }
    launch_on(w.queue, w.shift, low, high, 500, 0, NULL, NULL);
    model_shift(model, model + 2464 * STRUCT, 500);
    total(high, 2464 * STRUCT, 500);
    check_root();
    must(clReleaseMemObject(low));
    must(clReleaseMemObject(high));
    end();
}
END_TEST

START_TEST(from_the_first_struct)
{
    cl_mem low;

    begin();
    low = part(0, 1000);
    step(low, 0, 1000);
    step(root, 0, N);
    must(clReleaseMemObject(low));
    end();
}
END_TEST

START_TEST(begins_elsewhere)
{
    cl_mem in_struct, in_tile;

    begin();
    in_struct = part_of(1024, 500 * STRUCT, 0);
    in_tile = part(16 + 32, 500);
    step(in_struct, 1024, 500);
    step(in_struct, 1024, 500);
    total(in_tile, 48 * STRUCT, 500);
    must(clReleaseMemObject(in_tile));
    must(clReleaseMemObject(in_struct));
    end();
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
        world_end(&w);
    return failed;
}
