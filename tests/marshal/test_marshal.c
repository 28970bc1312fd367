/* Claim: a conversion on the device moves every leaf where the formula says, in place,
 * both ways, and touches nothing else. */
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"
#include "marshal_kernels/internal.h"

enum { SLACK_BYTES = 61 }; /* beyond the whole structs */

static struct device device;
static struct dl_marshal *marshal;

/* ---- calls that are watched ---- */

static unsigned buffers_made, launches_made, launches_unchained;
static cl_event launch_last;

static cl_mem CL_API_CALL buffer_watch(cl_context context, cl_mem_flags flags,
                                       size_t bytes, void *host, cl_int *err)
{
    buffers_made++;
    return clCreateBuffer(context, flags, bytes, host, err);
}

/* Counts the launches that do not wait for the one before. */
static cl_int CL_API_CALL launch_watch(cl_command_queue queue, cl_kernel kernel,
                                       cl_uint dims, const size_t *offset,
                                       const size_t *global, const size_t *local,
                                       cl_uint wait_count, const cl_event *wait,
                                       cl_event *event)
{
    cl_int err = clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local,
                                        wait_count, wait, event);
    bool waits = false;

    for (cl_uint w = 0; w < wait_count; w++)
        waits = waits || wait[w] == launch_last;
    if (launches_made++ > 0 && !waits)
        launches_unchained++;
    launch_last = event ? *event : NULL;
    return err;
}

static void setup(void)
{
    device_open(&device);
    device.cl.clCreateBuffer = buffer_watch;
    device.cl.clEnqueueNDRangeKernel = launch_watch;
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
}

/* The kernels and limits of a small GPU, whatever the device is. */
static void setup_gpu(void)
{
    setup();
    marshal->limits.is_cpu = false;
    marshal->limits.local_bytes = 16 << 10;
    marshal->limits.compute_units = 4;
    marshal->limits.group_items = 256;
    marshal->knobs.tile_group = 32;
    marshal->knobs.cycle_group = 64;
    marshal->knobs.cut_places = 8;
    marshal->knobs.cut_span = 64;
    marshal->knobs.cut_ahead = 3;
    marshal->knobs.slide_group = 32;
    marshal->knobs.slide_items = 1;
}

static void teardown(void)
{
    dl_marshal_free(marshal);
    device_close(&device);
}

/* ---- inputs and the reference
 * -------------------------------------------------------------- */

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static unsigned char *random_bytes(size_t bytes, uint64_t seed)
{
    unsigned char *data = malloc(bytes + 8);
    uint64_t state = seed * 2654435761u + 88172645463325252u;

    ck_assert_ptr_nonnull(data);
    for (size_t b = 0; b < bytes; b++)
        data[b] = (unsigned char)(random_next(&state) >> 32);
    return data;
}

/* A struct with leaves of these widths, one after the other; 0 ends. */
static struct dl_leaf_table table_make(const unsigned *widths)
{
    struct dl_leaf fields[256];
    struct dl_leaf_table table;
    uint32_t offset = 0;
    size_t count = 0;

    for (; widths[count]; count++) {
        fields[count] = (struct dl_leaf){offset, widths[count]};
        offset += widths[count];
    }
    ck_assert_int_eq(dl_leaf_table_make(offset, fields, count, &table), DL_OK);
    return table;
}

static struct dl_leaf_table table_make_equal(unsigned width, unsigned count)
{
    unsigned widths[256] = {0};

    for (unsigned i = 0; i < count; i++)
        widths[i] = width;
    return table_make(widths);
}

static void reference_convert(const struct dl_leaf_table *table, uint64_t structs,
                              struct dl_layout from, struct dl_layout to,
                              const unsigned char *in, unsigned char *out)
{
    struct dl_tiling a, b;

    ck_assert_int_eq(dl_layout_tile(from, structs, &a), DL_OK);
    ck_assert_int_eq(dl_layout_tile(to, structs, &b), DL_OK);
    for (uint64_t i = 0; i < structs; i++)
        for (uint32_t l = 0; l < table->leaf_count; l++)
            memcpy(out +
                       dl_tiling_leaf_byte(&b, table->struct_bytes, table->leaves[l], i),
                   in + dl_tiling_leaf_byte(&a, table->struct_bytes, table->leaves[l], i),
                   table->leaves[l].width_bytes);
}

/* ---- one conversion, checked
 * ----------------------------------------------------------------- */

static const char *describe(const struct dl_leaf_table *table, uint64_t structs,
                            struct dl_layout from, struct dl_layout to)
{
    static char text[200];

    snprintf(text, sizeof text, "%llu structs of %u bytes in %u leaves, %s %u -> %s %u",
             (unsigned long long)structs, table->struct_bytes, table->leaf_count,
             dl_layout_name(from.kind), from.tile_structs, dl_layout_name(to.kind),
             to.tile_structs);
    return text;
}

static void check_on_queue(const struct dl_leaf_table *table, uint64_t structs,
                           struct dl_layout from, struct dl_layout to,
                           cl_command_queue queue)
{
    size_t whole = (size_t)structs * table->struct_bytes, bytes = whole + SLACK_BYTES;
    unsigned char *in = random_bytes(bytes, structs + table->struct_bytes);
    unsigned char *want = malloc(bytes), *got = malloc(bytes);
    const struct dl_conversion *conversion;
    const char *what = describe(table, structs, from, to);
    bool moved;
    cl_event first, done;
    cl_int err;
    cl_mem mem = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, NULL, &err);
    enum dl_status st;

    ck_assert_int_eq(err, CL_SUCCESS);
    memcpy(want, in, bytes);
    reference_convert(table, structs, from, to, in, want);
    ck_assert_int_eq(
        clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, bytes, in, 0, NULL, NULL),
        CL_SUCCESS);
    st = dl_marshal_prepare(marshal, table, structs, from, to, &conversion);
    ck_assert_msg(st == DL_OK, "%s: prepare: %s", what, dl_status_name(st));
    ck_assert_msg(marshal->knobs.cut_places < 32 ||
                      dl_conversion_workspace_bytes(conversion) <= whole / 32 + 4096,
                  "%s: workspace %llu", what,
                  (unsigned long long)dl_conversion_workspace_bytes(conversion));
    st = dl_marshal_enqueue(marshal, queue, conversion, mem, 0, NULL, &first, &done,
                            &moved);
    ck_assert_msg(st == DL_OK, "%s: enqueue: %s", what, dl_status_name(st));
    ck_assert_int_eq(
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, bytes, got, 1, &done, NULL),
        CL_SUCCESS);
    if (memcmp(want, got, bytes) != 0) {
        size_t b = 0;
        while (want[b] == got[b])
            b++;
        ck_abort_msg("%s: byte %zu of %zu differs", what, b, bytes);
    }
    clReleaseEvent(first);
    clReleaseEvent(done);
    clReleaseMemObject(mem);
    free(in);
    free(want);
    free(got);
}

static void check_both_ways(const struct dl_leaf_table *table, uint64_t structs,
                            struct dl_layout layout)
{
    struct dl_layout aos = {DL_LAYOUT_AOS, 0};

    check_on_queue(table, structs, aos, layout, device.queue);
    check_on_queue(table, structs, layout, aos, device.queue);
}

/* ---- cases
 * -------------------------------------------------------------------------------------
 */

static const uint64_t counts[] = {1, 0, 2, 7, 31, 32, 33, 64, 97, 1021, 1024, 4099};

static const unsigned mixes[][12] = {
    {1, 2, 1, 4, 8}, /* naturally aligned, unit 1 */
    {4, 4, 8},
    {8, 8, 4, 8, 8, 4, 64, 32, 8}, /* 36 columns */
    {1, 4, 2},                     /* packed, 7 bytes */
    {2, 2, 4, 8, 128},             /* more columns than bits */
    {6, 12, 6},                    /* unit 6: no type of the kernels */
    {8, 4, 4, 16, 16},
    {4, 8, 4}, /* packed */
    {16, 4, 4, 4, 4, 8, 8},
    {128, 64, 64},
    {12, 4},
    {3, 1},
};

START_TEST(asta_mixed_leaves)
{
    struct dl_leaf_table table = table_make(mixes[_i]);

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        check_both_ways(&table, counts[c], (struct dl_layout){DL_LAYOUT_ASTA, 32});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(da_mixed_leaves)
{
    struct dl_leaf_table table = table_make(mixes[_i]);

    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        check_both_ways(&table, counts[c], (struct dl_layout){DL_LAYOUT_DA, 32});
    check_both_ways(&table, 16411, (struct dl_layout){DL_LAYOUT_DA, 32});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(asta_every_leaf_width)
{
    static const unsigned widths[] = {2, 128, 16, 1, 4, 8, 32, 64};
    struct dl_leaf_table table = table_make_equal(widths[_i], 3);

    check_both_ways(&table, 4099, (struct dl_layout){DL_LAYOUT_ASTA, 32});
    check_both_ways(&table, 4099, (struct dl_layout){DL_LAYOUT_DA, 16});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(asta_every_tile)
{
    static const uint32_t tiles[] = {31, 1000, 3, 16, 1, 2, 7, 8, 64, 100, 256, 1024};
    struct dl_leaf_table table = table_make_equal(4, 20);

    check_both_ways(&table, 3163, (struct dl_layout){DL_LAYOUT_ASTA, tiles[_i]});
    check_both_ways(&table, 3163, (struct dl_layout){DL_LAYOUT_DA, tiles[_i]});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(asta_struct_sizes)
{
    static const unsigned words[] = {5, 2, 33, 64, 3, 4, 8, 16, 19, 20, 31, 32, 63};
    struct dl_leaf_table table = table_make_equal(4, words[_i]);

    check_both_ways(&table, 2053, (struct dl_layout){DL_LAYOUT_ASTA, 32});
    check_both_ways(&table, 8192, (struct dl_layout){DL_LAYOUT_DA, 32});
    dl_leaf_table_free(&table);
}
END_TEST

/* 100! alone, on super-elements that are and that are not whole vectors. */
START_TEST(super_elements_of_any_length)
{
    static const struct {
        unsigned width, leaves, tile;
    } shapes[] = {{4, 5, 33},  {4, 7, 65},  {8, 3, 31}, {2, 6, 101}, {1, 9, 131},
                  {4, 16, 32}, {4, 5, 300}, {8, 5, 64}, {4, 2, 1021}};
    struct dl_leaf_table table = table_make_equal(shapes[_i].width, shapes[_i].leaves);
    uint32_t tile = shapes[_i].tile;
    struct dl_layout asta = {DL_LAYOUT_ASTA, tile}, da = {DL_LAYOUT_DA, tile};
    uint64_t tiles = 70000 / (tile * table.struct_bytes) + 1;

    for (uint64_t t = tiles; t < tiles + 3; t++) {
        check_on_queue(&table, t * tile + 5, asta, da, device.queue);
        check_on_queue(&table, t * tile + 5, da, asta, device.queue);
    }
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(one_leaf_is_left_alone)
{
    struct dl_leaf_table table = table_make_equal(8, 1);

    check_both_ways(&table, 1000, (struct dl_layout){DL_LAYOUT_ASTA, 32});
    check_both_ways(&table, 1000, (struct dl_layout){DL_LAYOUT_SOA, 0});
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(soa_exact)
{
    /* The last two slide: no tile divides a prime. */
    static const uint64_t n[] = {1, 2, 1021, 4096, 16411, 20000, 65537, 131071};
    struct dl_leaf_table equal = table_make_equal(4, 6), mixed = table_make(mixes[1]);

    check_both_ways(&equal, n[_i], (struct dl_layout){DL_LAYOUT_SOA, 0});
    check_both_ways(&mixed, n[_i], (struct dl_layout){DL_LAYOUT_SOA, 0});
    dl_leaf_table_free(&equal);
    dl_leaf_table_free(&mixed);
}
END_TEST

START_TEST(tiled_to_tiled)
{
    static const struct dl_layout layouts[] = {{DL_LAYOUT_ASTA, 8},
                                               {DL_LAYOUT_ASTA, 32},
                                               {DL_LAYOUT_DA, 32},
                                               {DL_LAYOUT_SOA, 0}};
    struct dl_leaf_table table = table_make(mixes[6]);

    for (int a = 0; a < 4; a++) {
        for (int b = 0; b < 4; b++) {
            check_on_queue(&table, 8209, layouts[a], layouts[b], device.queue);
            check_on_queue(&table, 8192, layouts[a], layouts[b], device.queue);
        }
    }
    dl_leaf_table_free(&table);
}
END_TEST

/* Tiles beyond local memory: cycles with flags in local, then in global memory. */
START_TEST(tiles_beyond_local_memory)
{
    cl_ulong local_bytes = 0;
    struct dl_leaf_table table = table_make_equal(4, 64), mixed = table_make(mixes[3]);

    clGetDeviceInfo(device.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local_bytes, &local_bytes,
                    NULL);
    check_both_ways(
        &table, local_bytes / 64 + 1000,
        (struct dl_layout){DL_LAYOUT_ASTA, (uint32_t)(local_bytes / 256 + 33)});
    check_both_ways(&mixed, local_bytes / 3,
                    (struct dl_layout){DL_LAYOUT_ASTA, (uint32_t)(local_bytes / 7 + 9)});
    dl_leaf_table_free(&table);
    dl_leaf_table_free(&mixed);
}
END_TEST

/* PTTWAC on whole arrays, which the chooser leaves to cut cycles. */
START_TEST(cycles_with_flags_in_global_memory)
{
    struct dl_leaf_table table = table_make(mixes[1]), packed = table_make(mixes[3]);
    struct dl_layout soa = {DL_LAYOUT_SOA, 0};

    marshal->knobs.family = 2;
    check_both_ways(&table, 16411, soa);
    marshal->knobs.cut_places =
        1; /* its flags may be more than 1/32 of such small elements */
    check_both_ways(&packed, 16417, soa);
    dl_leaf_table_free(&table);
    dl_leaf_table_free(&packed);
}
END_TEST

START_TEST(out_of_order_queue)
{
    cl_command_queue queue =
        device_queue_make(&device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    struct dl_leaf_table table = table_make(mixes[1]);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};

    ck_assert_ptr_nonnull(queue);
    for (int i = 0; i < 5; i++) {
        /* A device may run such a queue in order all the same, so that bytes alone prove little. */
        launches_made = launches_unchained = 0;
        check_on_queue(&table, 20011, aos, da, queue);
        ck_assert_uint_gt(launches_made, 2);
        ck_assert_uint_eq(launches_unchained, 0);
        check_on_queue(&table, 20011, da, aos, queue);
    }
    clReleaseCommandQueue(queue);
    dl_leaf_table_free(&table);
}
END_TEST

/* A conversion waits for its list, even one that moves nothing. */
START_TEST(wait_list_is_kept)
{
    static const uint64_t n[] = {20011, 0};
    struct dl_leaf_table table = table_make(mixes[1]);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};
    const struct dl_conversion *conversion;
    cl_int err, status = -1;
    cl_event gate = clCreateUserEvent(device.context, &err), done;
    cl_mem mem =
        clCreateBuffer(device.context, CL_MEM_READ_WRITE, 16 * 20011, NULL, &err);
    bool moved;

    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, n[_i], aos, da, &conversion),
                     DL_OK);
    ck_assert_int_eq(dl_marshal_enqueue(marshal, device.queue, conversion, mem, 1, &gate,
                                        NULL, &done, &moved),
                     DL_OK);
    clFlush(device.queue);
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    ck_assert_int_gt(status, CL_COMPLETE);
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_int_eq(clWaitForEvents(1, &done), CL_SUCCESS);
    clReleaseEvent(gate);
    clReleaseEvent(done);
    clReleaseMemObject(mem);
    dl_leaf_table_free(&table);
}
END_TEST

static void *thread_main(void *arg)
{
    cl_command_queue queue = arg;
    struct dl_leaf_table table = table_make(mixes[1]);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};

    for (int i = 0; i < 6; i++) {
        check_on_queue(&table, 20011, aos, da, queue);
        check_on_queue(&table, 20011, da, aos, queue);
    }
    dl_leaf_table_free(&table);
    return NULL;
}

START_TEST(two_threads_one_conversion)
{
    cl_command_queue queues[2];
    pthread_t threads[2];

    for (int t = 0; t < 2; t++) {
        queues[t] = device_queue_make(&device, 0);
        ck_assert_int_eq(pthread_create(&threads[t], NULL, thread_main, queues[t]), 0);
    }
    for (int t = 0; t < 2; t++) {
        pthread_join(threads[t], NULL);
        clReleaseCommandQueue(queues[t]);
    }
}
END_TEST

/* Two buffers whose conversions are in flight at once on two queues keep to themselves.
 */
START_TEST(two_in_flight)
{
    enum { STRUCTS = 40009, BYTES = 16 * STRUCTS };
    struct dl_leaf_table table = table_make(mixes[1]);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};
    const struct dl_conversion *conversion;
    cl_command_queue queues[2];
    unsigned char *in[2], *want = malloc(BYTES), *got = malloc(BYTES);
    cl_event gate, done[2];
    cl_mem mems[2];
    cl_int err;
    bool moved;

    gate = clCreateUserEvent(device.context, &err);
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, aos, da, &conversion),
                     DL_OK);
    ck_assert_uint_gt(dl_conversion_workspace_bytes(conversion), 0);
    buffers_made = 0;
    for (int q = 0; q < 2; q++) {
        queues[q] = device_queue_make(&device, 0);
        in[q] = random_bytes(BYTES, 77 + q);
        mems[q] =
            clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, BYTES, in[q], &err);
        ck_assert_int_eq(dl_marshal_enqueue(marshal, queues[q], conversion, mems[q], 1,
                                            &gate, NULL, &done[q], &moved),
                         DL_OK);
        ck_assert(moved);
        clFlush(queues[q]);
    }
    /* One workspace was there; the second needs its own while the first is held up. */
    ck_assert_uint_ge(buffers_made, 1);
    clSetUserEventStatus(gate, CL_COMPLETE);
    for (int q = 0; q < 2; q++) {
        reference_convert(&table, STRUCTS, aos, da, in[q], want);
        clEnqueueReadBuffer(queues[q], mems[q], CL_TRUE, 0, BYTES, got, 1, &done[q],
                            NULL);
        ck_assert_int_eq(memcmp(want, got, BYTES), 0);
        clReleaseEvent(done[q]);
        clReleaseMemObject(mems[q]);
        clReleaseCommandQueue(queues[q]);
        free(in[q]);
    }
    clReleaseEvent(gate);
    free(want);
    free(got);
    dl_leaf_table_free(&table);
}
END_TEST

START_TEST(sizes_that_overflow_are_refused)
{
    struct dl_leaf_table table = table_make(mixes[1]);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, asta = {DL_LAYOUT_ASTA, 32};
    const struct dl_conversion *conversion = NULL;

    ck_assert_int_eq(
        dl_marshal_prepare(marshal, &table, UINT64_MAX / 2, aos, asta, &conversion),
        DL_EOVERFLOW);
    asta.tile_structs = 0;
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, 100, aos, asta, &conversion),
                     DL_EINVAL);
    ck_assert_ptr_null(conversion);
    dl_leaf_table_free(&table);
}
END_TEST

/* Compiling is what takes the time, so that the small GPU gets the first, oddest shapes
 * only. */
static TCase *tcase_make(const char *name, SFun set_up, int most)
{
    TCase *tcase = tcase_create(name);
#define COUNT(count) ((count) < most ? (count) : most)

    tcase_add_unchecked_fixture(tcase, set_up, teardown);
    tcase_set_timeout(tcase, 0);
    tcase_add_loop_test(tcase, super_elements_of_any_length, 0, COUNT(9) > 3 ? 5 : 4);
    tcase_add_loop_test(tcase, asta_mixed_leaves, 0,
                        COUNT((int)(sizeof mixes / sizeof *mixes)));
    tcase_add_loop_test(tcase, da_mixed_leaves, 0,
                        COUNT((int)(sizeof mixes / sizeof *mixes)));
    tcase_add_loop_test(tcase, asta_every_leaf_width, 0, COUNT(8));
    tcase_add_loop_test(tcase, asta_every_tile, 0, COUNT(12));
    tcase_add_loop_test(tcase, asta_struct_sizes, 0, COUNT(13));
    tcase_add_test(tcase, one_leaf_is_left_alone);
    tcase_add_loop_test(tcase, soa_exact, 0, 8);
    tcase_add_test(tcase, tiled_to_tiled);
    tcase_add_test(tcase, tiles_beyond_local_memory);
    tcase_add_test(tcase, out_of_order_queue);
    tcase_add_loop_test(tcase, wait_list_is_kept, 0, 2);
    tcase_add_test(tcase, two_threads_one_conversion);
    tcase_add_test(tcase, two_in_flight);
    tcase_add_test(tcase, sizes_that_overflow_are_refused);
    /* Last: it changes the knobs. */
    tcase_add_test(tcase, cycles_with_flags_in_global_memory);
#undef COUNT
    return tcase;
}

int main(void)
{
    Suite *suite = suite_create("marshal");
    SRunner *runner;
    int failed;

    device_open(&device); /* skips when there is none */
    device_close(&device);
    suite_add_tcase(suite, tcase_make("device", setup, 4));
    suite_add_tcase(suite, tcase_make("as a small GPU", setup_gpu, 2));
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
