/* SPDX-License-Identifier: MIT */
/* Executing a plan: allocates nothing and waits for nothing, is ordered by events on any
 * queue, and says what it left when a command is refused. */
#include <check.h>
#include <limits.h>
#include <string.h>

#include "counted.h"

/* The table has no function that waits (clFinish, clWaitForEvents): calling one would
 * crash. */
START_TEST(execution_allocates_and_builds_nothing)
{
    struct device *device = &harness.device;
    struct dl_transpose_error error = {""};
    struct dl_transpose *transpose = counted_make();
    struct dl_transpose_plan *plan, *again;
    cl_mem mem = numbers_make(device, 5);
    unsigned before;

    plan = plan_make(transpose, DL_TRANSPOSE_PANEL_ROWS);
    ck_assert_int_eq(dl_transpose_plan_allocate(plan, &error), DL_OK);
    ck_assert_uint_eq(counts.buffers_made, 1);
    ck_assert_int_eq(dl_transpose_plan_allocate(plan, &error), DL_OK);
    ck_assert_uint_eq(counts.buffers_made, 1);
    before = counts.builds;
    ck_assert_uint_gt(before, 0);
    again = plan_make(transpose, DL_TRANSPOSE_PANEL_ROWS);
    ck_assert_int_eq(
        dl_transpose_enqueue(plan, device->queue, mem, NULL, 0, NULL, NULL, NULL, &error),
        DL_OK);
    ck_assert(numbers_are_transposed(device->queue, mem, 5));
    ck_assert_uint_eq(counts.buffers_made, 1);
    ck_assert_uint_eq(counts.builds, before);
    /* An in-order queue needs no events. */
    ck_assert_uint_eq(counts.events_made, 0);
    clReleaseMemObject(mem);
    dl_transpose_plan_free(again);
    dl_transpose_plan_free(plan);
    dl_transpose_free(transpose);
}
END_TEST

/* A matrix that local memory holds: a call is one launch and nothing else, however often
 * it is made. */
START_TEST(a_small_matrix_is_one_launch)
{
    struct device *device = &harness.device;
    struct dl_transpose_error error = {""};
    struct dl_transpose *transpose = counted_make();
    struct dl_transpose_problem problem = {.rows = 73, .cols = 50, .element_bytes = 4};
    struct dl_transpose_plan *plan = NULL;
    cl_mem mem = numbers_make(device, 3);
    unsigned builds;

    ck_assert_msg(dl_transpose_plan_make(transpose, &problem, &plan, &error) == DL_OK,
                  "%s", error.text);
    ck_assert_int_eq(dl_transpose_plan_allocate(plan, &error), DL_OK);
    builds = counts.builds;
    for (unsigned call = 1; call <= 10; call++) {
        ck_assert_int_eq(dl_transpose_enqueue(plan, device->queue, mem, NULL, 0, NULL,
                                              NULL, NULL, &error),
                         DL_OK);
        ck_assert_uint_eq(counts.launches, call);
    }
    ck_assert_uint_eq(counts.builds, builds);
    ck_assert_uint_eq(counts.buffers_made, 0);
    ck_assert_uint_eq(counts.events_made, 0);
    clFinish(device->queue);
    clReleaseMemObject(mem);
    dl_transpose_plan_free(plan);
    dl_transpose_free(transpose);
}
END_TEST

/* ---- order ---- */

START_TEST(waits_for_events_out_of_order)
{
    struct device *device = &harness.device;
    cl_command_queue queue =
        device_queue_make(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    struct dl_transpose_plan *plan =
        plan_make(harness.transpose, DL_TRANSPOSE_PANEL_COLS);
    struct dl_transpose_error error = {""};
    cl_mem mem = numbers_make(device, 1), other = numbers_make(device, 2);
    cl_event gate, copied, done = NULL;
    cl_int err, state = CL_COMPLETE;

    ck_assert_ptr_nonnull(queue);
    ck_assert_int_eq(dl_transpose_plan_allocate(plan, &error), DL_OK);
    gate = clCreateUserEvent(device->context, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    /* The transposition must see what the copy, held back, brings. */
    err = clEnqueueCopyBuffer(queue, other, mem, 0, 0, ELEMENTS * 4, 1, &gate, &copied);
    ck_assert_int_eq(err, CL_SUCCESS);
    ck_assert_int_eq(
        dl_transpose_enqueue(plan, queue, mem, NULL, 1, &copied, &done, NULL, &error),
        DL_OK);
    clFlush(queue);
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    ck_assert_int_ne(state, CL_COMPLETE);
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_int_eq(clWaitForEvents(1, &done), CL_SUCCESS);
    ck_assert(numbers_are_transposed(queue, mem, 2));
    clReleaseEvent(gate);
    clReleaseEvent(copied);
    clReleaseEvent(done);
    clReleaseMemObject(mem);
    clReleaseMemObject(other);
    dl_transpose_plan_free(plan);
    clReleaseCommandQueue(queue);
}
END_TEST

/* Nothing moves, but the event says when what is waited for is done. */
START_TEST(a_row_waits_for_events)
{
    struct device *device = &harness.device;
    struct dl_transpose_problem problem = {.rows = 1, .cols = 77, .element_bytes = 4};
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan;
    cl_mem mem = numbers_make(device, 1);
    cl_event gate, done = NULL;
    cl_int err, state = CL_COMPLETE;
    int started = 1;

    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, &plan, &error),
                     DL_OK);
    ck_assert_int_eq(dl_transpose_plan_allocate(plan, &error), DL_OK);
    gate = clCreateUserEvent(device->context, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    ck_assert_int_eq(dl_transpose_enqueue(plan, device->queue, mem, NULL, 1, &gate, NULL,
                                          NULL, &error),
                     DL_OK);
    ck_assert_int_eq(dl_transpose_enqueue(plan, device->queue, mem, NULL, 1, &gate, &done,
                                          &started, &error),
                     DL_OK);
    ck_assert_ptr_nonnull(done);
    ck_assert_int_eq(started, 0);
    clFlush(device->queue);
    sleep_briefly();
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    ck_assert_int_ne(state, CL_COMPLETE);
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_int_eq(clWaitForEvents(1, &done), CL_SUCCESS);
    clReleaseEvent(gate);
    clReleaseEvent(done);
    clReleaseMemObject(mem);
    dl_transpose_plan_free(plan);
}
END_TEST

/* ---- failures ---- */

enum { SMALL = 37 * 41 };

static const struct {
    enum dl_transpose_algorithm algorithm;
    uint64_t rows, cols, leading;
} refused[] = {
    {DL_TRANSPOSE_ONCHIP, 36, 40, 40},
    {DL_TRANSPOSE_ONCHIP, 36, 40, 41}, /* packed before */
    {DL_TRANSPOSE_SQUARE, 37, 37, 37},
    {DL_TRANSPOSE_CYCLES, 36, 40, 40},
    {DL_TRANSPOSE_PANEL_ROWS, 36, 40, 40},
    {DL_TRANSPOSE_PANEL_COLS, 36, 40, 40},
    {DL_TRANSPOSE_C2R, 36, 40, 40},
    {DL_TRANSPOSE_R2C, 36, 40, 40},
    {DL_TRANSPOSE_STAGE3, 36, 40, 40},
    {DL__COMPARED(STAGE4), 36, 40, 40},
    {DL__COMPARED(STAGE4_FUSED), 36, 40, 40},
    {DL__COMPARED(STAGE4_FUSED), 36, 5, 5}}; /* which begins with the fused pass */

/* Each command is refused once: the status says so, no event is left over, and `started`
 * says whether the matrix is what it was. */
START_TEST(a_refused_command_leaves_nothing_behind)
{
    struct device *device = &harness.device;
    enum dl_transpose_algorithm algorithm = refused[_i].algorithm;
    uint64_t rows = refused[_i].rows, cols = refused[_i].cols;
    uint64_t leading = refused[_i].leading;
    struct dl_transpose_problem problem = {.rows = rows,
                                           .cols = cols,
                                           .element_bytes = 4,
                                           .leading = leading,
                                           .leading_out = rows == cols ? leading : 0,
                                           .algorithm = algorithm,
                                           .cap = DL_TRANSPOSE_CAP_ANY,
                                           .tile_rows = 6,
                                           .tile_cols = 5};
    struct dl_transpose *transpose = counted_make();
    cl_command_queue queue =
        device_queue_make(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    struct dl_transpose_error error = {""};
    struct dl_transpose_info info;
    struct dl_transpose_plan *plan = NULL;
    static int before[SMALL], after[SMALL];
    cl_int err;
    cl_mem mem =
        clCreateBuffer(device->context, CL_MEM_READ_WRITE, sizeof before, NULL, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    ck_assert_msg(dl_transpose_plan_make(transpose, &problem, &plan, &error) == DL_OK,
                  "%s", error.text);
    ck_assert_int_eq(dl_transpose_plan_allocate(plan, &error), DL_OK);
    dl_transpose_plan_info(plan, &info);
    ck_assert_uint_gt(info.launches, 0);
    for (int i = 0; i < SMALL; i++)
        before[i] = i + 1;
    for (unsigned allowed = 0; allowed <= info.launches; allowed++) {
        bool is_whole = allowed == info.launches;
        cl_event event = NULL;
        int started = 2;
        enum dl_status st;
        clEnqueueWriteBuffer(queue, mem, CL_TRUE, 0, sizeof before, before, 0, NULL,
                             NULL);
        counts.launches = counts.events_made = counts.events_freed = 0;
        counts.launches_allowed = allowed;
        st = dl_transpose_enqueue(plan, queue, mem, NULL, 0, NULL, &event, &started,
                                  &error);
        clFinish(queue);
        ck_assert_int_eq(st, is_whole ? DL_OK : DL_ECL);
        ck_assert_uint_eq(counts.launches, allowed);
        ck_assert_int_eq(event != NULL, is_whole);
        ck_assert_msg(counts.events_made - counts.events_freed == is_whole,
                      "%u of %u events released", counts.events_freed,
                      counts.events_made);
        clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof after, after, 0, NULL, NULL);
        ck_assert_msg(started == (memcmp(before, after, sizeof before) != 0),
                      "%s: started is %d after %u of %u launches",
                      dl_transpose_algorithm_name(algorithm), started, allowed,
                      info.launches);
        if (event)
            clReleaseEvent(event);
    }
    for (uint64_t i = 0; i < rows; i++)
        for (uint64_t j = 0; j < cols; j++)
            ck_assert_int_eq(after[j * rows + i], before[i * leading + j]);
    counts.launches_allowed = UINT_MAX;
    clReleaseMemObject(mem);
    dl_transpose_plan_free(plan);
    clReleaseCommandQueue(queue);
    dl_transpose_free(transpose);
}
END_TEST

/* A compiler that fails is no shape that can't be: no other algorithm is tried, and the
 * next plan finds nothing half built. */
START_TEST(a_refused_program_leaves_nothing_behind)
{
    struct dl_transpose *transpose = counted_make();
    struct dl_transpose_problem problem = {.rows = 36, .cols = 40, .element_bytes = 4};
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan = (void *)&harness;

    for (unsigned way = 0; way < 2; way++) {
        problem.cap = DL_TRANSPOSE_CAP_ANY;
        problem.algorithm = way ? DL_TRANSPOSE_PANEL_ROWS : DL_TRANSPOSE_AUTO;
        plan = (void *)&harness;
        counts.builds_allowed = counts.builds;
        counts.builds_refused = 0;
        ck_assert_int_eq(dl_transpose_plan_make(transpose, &problem, &plan, &error),
                         DL_ECL);
        ck_assert_uint_eq(counts.builds_refused, 1);
        ck_assert_ptr_eq(plan, (void *)&harness);
        counts.builds_allowed = UINT_MAX;
        ck_assert_int_eq(dl_transpose_plan_make(transpose, &problem, &plan, &error),
                         DL_OK);
        dl_transpose_plan_free(plan);
    }
    dl_transpose_free(transpose);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose queues");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, execution_allocates_and_builds_nothing);
    tcase_add_test(tests, a_small_matrix_is_one_launch);
    tcase_add_test(tests, waits_for_events_out_of_order);
    tcase_add_test(tests, a_row_waits_for_events);
    tcase_add_loop_test(tests, a_refused_command_leaves_nothing_behind, 0,
                        sizeof refused / sizeof *refused);
    tcase_add_test(tests, a_refused_program_leaves_nothing_behind);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
