/* SPDX-License-Identifier: MIT */
/* Claim: conversions keep to the order of events and queues, on whatever queue and
 * thread, and keep out of each other's workspaces. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "convert.h"

/* naturally aligned leaves of 4 and 8 bytes */
static const unsigned widths[] = {4, 4, 8, 0};

/* ---- calls that are watched ---- */

static unsigned buffers_made, fills_made, launches_made, launches_unchained;
static unsigned launches_left; /* as many as go well before all fail; with may_fail */
static bool may_fail;
static cl_event launch_last;

static cl_mem CL_API_CALL buffer_watch(cl_context context, cl_mem_flags flags,
                                       size_t bytes, void *host, cl_int *err)
{
    buffers_made++;
    return clCreateBuffer(context, flags, bytes, host, err);
}

static cl_int CL_API_CALL fill_watch(cl_command_queue queue, cl_mem mem,
                                     const void *pattern, size_t pattern_bytes,
                                     size_t offset, size_t bytes, cl_uint wait_count,
                                     const cl_event *wait, cl_event *event)
{
    fills_made++;
    return clEnqueueFillBuffer(queue, mem, pattern, pattern_bytes, offset, bytes,
                               wait_count, wait, event);
}

/* Counts the launches that do not wait for the one before. */
static cl_int CL_API_CALL launch_watch(cl_command_queue queue, cl_kernel kernel,
                                       cl_uint dims, const size_t *offset,
                                       const size_t *global, const size_t *local,
                                       cl_uint wait_count, const cl_event *wait,
                                       cl_event *event)
{
    bool waits = false;
    cl_int err;

    if (may_fail && launches_left == 0)
        return CL_OUT_OF_RESOURCES;
    launches_left--;
    err = clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, wait_count,
                                 wait, event);
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
    device.cl.clEnqueueFillBuffer = fill_watch;
    device.cl.clEnqueueNDRangeKernel = launch_watch;
    ck_assert_int_eq(dl_marshal_make(&device.cl, device.context, device.id, &marshal),
                     DL_OK);
    /* Conversions of several steps, in place. */
    DL__STEPS_SET(&marshal->steps, place_bytes, 0);
}

static void setup_gpu(void)
{
    setup();
    marshal_as_gpu();
}

START_TEST(out_of_order_queue)
{
    cl_command_queue queue =
        device_queue_make(&device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};

    ck_assert_ptr_nonnull(queue);
    for (int i = 0; i < 5; i++) {
        /* A device may run such a queue in order all the same, so that bytes alone prove
         * little. */
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
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};
    const struct dl_conversion *conversion;
    cl_int err, status = -1;
    cl_event gate = clCreateUserEvent(device.context, &err), done;
    cl_mem mem =
        clCreateBuffer(device.context, CL_MEM_READ_WRITE, 16 * 20011, NULL, &err);
    struct dl_rest *rest;

    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, n[_i], aos, da, &conversion),
                     DL_OK);
    ck_assert_int_eq(dl_marshal_enqueue(marshal, device.queue, conversion, mem, 1, &gate,
                                        NULL, &done, &rest),
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
    struct dl_leaf_table table = table_make(widths);
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

/* Two buffers whose conversions are in flight at once on two queues keep to
 * themselves. */
START_TEST(two_in_flight)
{
    enum { STRUCTS = 40009, BYTES = 16 * STRUCTS };
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};
    const struct dl_conversion *conversion;
    cl_command_queue queues[2];
    unsigned char *in[2], *want = malloc(BYTES), *got = malloc(BYTES);
    cl_event gate, done[2];
    cl_mem mems[2];
    cl_int err;
    struct dl_rest *rest;

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
                                            &gate, NULL, &done[q], &rest),
                         DL_OK);
        ck_assert_ptr_null(rest);
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

/* There and back on one queue, all of it pending: one workspace, whatever the number, on
 * a queue in order and on one that is not. */
START_TEST(pending_ones_share_a_workspace)
{
    enum { STRUCTS = 40009, BYTES = 16 * STRUCTS };
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};
    const struct dl_conversion *ways[2];
    unsigned char *in = random_bytes(BYTES, 79), *got = malloc(BYTES);
    cl_int err;
    cl_event gate = clCreateUserEvent(device.context, &err);
    cl_mem mem = clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, BYTES, in, &err);
    cl_command_queue queue =
        device_queue_make(&device, _i ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    cl_event before = gate, done;
    struct dl_rest *rest;

    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, aos, da, &ways[0]),
                     DL_OK);
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, da, aos, &ways[1]),
                     DL_OK);
    ck_assert_uint_gt(dl_conversion_workspace_bytes(ways[0]), 0);
    buffers_made = 0;
    for (int i = 0; i < 20; i++) {
        ck_assert_int_eq(dl_marshal_enqueue(marshal, queue, ways[i % 2], mem, 1, &before,
                                            NULL, &done, &rest),
                         DL_OK);
        if (i > 0)
            clReleaseEvent(before);
        before = done;
    }
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_uint_le(buffers_made, 1);
    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, BYTES, got, 1, &done, NULL);
    ck_assert_int_eq(memcmp(in, got, BYTES), 0);
    clReleaseEvent(done);
    clReleaseEvent(gate);
    clReleaseCommandQueue(queue);
    clReleaseMemObject(mem);
    free(in);
    free(got);
    dl_leaf_table_free(&table);
}
END_TEST

/* A conversion that broke off finds its workspace as it was, whatever was converted
 * meanwhile. */
START_TEST(broken_off_keeps_its_workspace)
{
    enum { STRUCTS = 20011, BYTES = 16 * STRUCTS };
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};
    unsigned char *in[2], *want = malloc(BYTES), *got = malloc(BYTES);
    const struct dl_conversion *conversion;
    unsigned breaks = 0, steps = 2;
    struct dl_rest *rest, *none;
    cl_mem mems[2];
    cl_int err;

    for (int m = 0; m < 2; m++)
        in[m] = random_bytes(BYTES, 78 + m);
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, aos, da, &conversion),
                     DL_OK);
    ck_assert_uint_gt(dl_conversion_workspace_bytes(conversion), 0);
    for (unsigned step = 1; step < steps; step++) {
        for (int m = 0; m < 2; m++)
            mems[m] =
                clCreateBuffer(device.context, CL_MEM_COPY_HOST_PTR, BYTES, in[m], &err);
        launches_left = step;
        may_fail = true;
        dl_marshal_enqueue(marshal, device.queue, conversion, mems[0], 0, NULL, NULL,
                           NULL, &rest);
        may_fail = false;
        launches_made = 0;
        ck_assert_int_eq(dl_marshal_enqueue(marshal, device.queue, conversion, mems[1], 0,
                                            NULL, NULL, NULL, &none),
                         DL_OK);
        steps = launches_made;
        for (int m = rest ? 0 : 1; m < 2; m++) {
            if (m == 0)
                ck_assert_int_eq(
                    dl_marshal_resume(marshal, device.queue, rest, 0, NULL, NULL, &rest),
                    DL_OK);
            breaks += m == 0;
            reference_convert(&table, STRUCTS, aos, da, in[m], want);
            clEnqueueReadBuffer(device.queue, mems[m], CL_TRUE, 0, BYTES, got, 0, NULL,
                                NULL);
            ck_assert_int_eq(memcmp(want, got, BYTES), 0);
        }
        for (int m = 0; m < 2; m++)
            clReleaseMemObject(mems[m]);
    }
    ck_assert_uint_gt(breaks, 0);
    free(in[0]);
    free(in[1]);
    free(want);
    free(got);
    dl_leaf_table_free(&table);
}
END_TEST

/* What other queues wait for is the last step that is under way, wherever it broke off
 * and whatever else is asked for. */
START_TEST(broken_off_tells_its_last_step)
{
    enum { STRUCTS = 20011, BYTES = 16 * STRUCTS };
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0};
    /* With a workspace, and without. */
    struct dl_layout to = {_i / 2 ? DL_LAYOUT_ASTA : DL_LAYOUT_DA, 32};
    const struct dl_conversion *conversion;
    cl_event first = NULL, done = NULL;
    unsigned breaks = 0;
    struct dl_rest *rest;
    enum dl_status st = DL_ENOMEM;
    cl_mem mem;
    cl_int err;

    mem = clCreateBuffer(device.context, CL_MEM_READ_WRITE, BYTES, NULL, &err);
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, STRUCTS, aos, to, &conversion),
                     DL_OK);
    for (unsigned step = 1; st != DL_OK; step++) {
        launches_left = step;
        launches_made = 0;
        may_fail = true;
        st = dl_marshal_enqueue(marshal, device.queue, conversion, mem, 0, NULL,
                                _i % 2 ? &first : NULL, &done, &rest);
        for (may_fail = rest && step % 2; rest; may_fail = false) {
            breaks++;
            ck_assert_ptr_nonnull(done);
            ck_assert_ptr_eq(done, launch_last);
            ck_assert_ptr_null(first);
            clReleaseEvent(done);
            done = NULL;
            /* One more, and no further; then all. */
            launches_left = 1;
            dl_marshal_resume(marshal, device.queue, rest, 0, NULL, &done, &rest);
        }
        may_fail = false;
        if (done)
            clReleaseEvent(done);
        done = NULL;
    }
    ck_assert(breaks > 0 || launches_made == 1);
    if (first)
        clReleaseEvent(first);
    clFinish(device.queue);
    clReleaseMemObject(mem);
    dl_leaf_table_free(&table);
}
END_TEST

/* A workspace is touched ahead of the first step: as long as that is under way, nobody
 * else gets it. */
START_TEST(broken_off_at_once_keeps_its_workspace)
{
    struct dl_leaf_table table = table_make(widths);
    struct dl_layout aos = {DL_LAYOUT_AOS, 0}, da = {DL_LAYOUT_DA, 32};
    const struct dl_conversion *conversion;
    const uint64_t structs = 200003;
    cl_command_queue other = device_queue_make(&device, 0);
    cl_event gate, done;
    struct dl_rest *rest;
    unsigned made;
    cl_mem mem;
    cl_int err;

    gate = clCreateUserEvent(device.context, &err);
    mem = clCreateBuffer(device.context, CL_MEM_READ_WRITE, 16 * structs, NULL, &err);
    ck_assert_int_eq(dl_marshal_prepare(marshal, &table, structs, aos, da, &conversion),
                     DL_OK);
    launches_left = fills_made = 0;
    may_fail = true;
    ck_assert_int_ne(dl_marshal_enqueue(marshal, device.queue, conversion, mem, 1, &gate,
                                        NULL, &done, &rest),
                     DL_OK);
    may_fail = false;
    ck_assert_ptr_null(rest);
    buffers_made = 0;
    ck_assert_int_eq(
        dl_marshal_enqueue(marshal, other, conversion, mem, 0, NULL, NULL, NULL, &rest),
        DL_OK);
    made = buffers_made;
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_uint_ge(made, fills_made ? 1 : 0);
    clFinish(other);
    clFinish(device.queue);
    clReleaseEvent(gate);
    clReleaseCommandQueue(other);
    clReleaseMemObject(mem);
    dl_leaf_table_free(&table);
}
END_TEST

int main(void)
{
    static const SFun fixtures[] = {setup, setup_gpu};
    Suite *suite = suite_create("queues");
    SRunner *runner;
    int failed;

    device_open(&device); /* skips when there is none */
    device_close(&device);
    for (int f = 0; f < 2; f++) {
        TCase *tcase = tcase_create(f ? "as a small GPU" : "device");
        tcase_add_unchecked_fixture(tcase, fixtures[f], marshal_close);
        tcase_set_timeout(tcase, 0);
        tcase_add_test(tcase, out_of_order_queue);
        tcase_add_loop_test(tcase, wait_list_is_kept, 0, 2);
        tcase_add_test(tcase, two_threads_one_conversion);
        tcase_add_test(tcase, two_in_flight);
        tcase_add_loop_test(tcase, pending_ones_share_a_workspace, 0, 2);
        tcase_add_test(tcase, broken_off_keeps_its_workspace);
        tcase_add_loop_test(tcase, broken_off_tells_its_last_step, 0, 4);
        tcase_add_test(tcase, broken_off_at_once_keeps_its_workspace);
        suite_add_tcase(suite, tcase);
    }
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
