/* Executing a plan: allocates nothing and waits for nothing, is ordered by events on any queue, and
 * is safe from several threads at once. */
#include <check.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "transpose/internal.h"

enum { ROWS = 211, COLS = 307, ELEMENTS = ROWS * COLS };

static struct harness harness;

static cl_mem numbers_make(const struct device *device, int seed)
{
    static int numbers[ELEMENTS];
    cl_int err;
    cl_mem mem;

    for (int i = 0; i < ELEMENTS; i++)
        numbers[i] = i ^ seed;
    mem = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                         sizeof numbers, numbers, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    return mem;
}

static bool numbers_are_transposed(cl_command_queue queue, cl_mem mem, int seed)
{
    int *numbers = malloc(ELEMENTS * sizeof *numbers);
    bool good = clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, ELEMENTS * sizeof *numbers,
                                    numbers, 0, NULL, NULL) == CL_SUCCESS;

    for (int i = 0; i < ROWS && good; i++)
        for (int j = 0; j < COLS && good; j++)
            good = numbers[j * ROWS + i] == ((i * COLS + j) ^ seed);
    free(numbers);
    return good;
}

static struct dl_transpose_plan *plan_make(struct dl_transpose *transpose,
                                           enum dl_transpose_algorithm algorithm)
{
    struct dl_transpose_problem problem = {.rows = ROWS,
                                           .cols = COLS,
                                           .element_bytes = 4,
                                           .algorithm = algorithm,
                                           .cap = DL_TRANSPOSE_CAP_12};
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan = NULL;

    ck_assert_msg(dl_transpose_plan_make(transpose, &problem, &plan, &error) == DL_OK,
                  "%s", error.text);
    return plan;
}

/* ---- what execution calls ---- */

static cl_icd_dispatch counted;
static unsigned buffers_made, builds;

static CL_API_ENTRY cl_mem CL_API_CALL create_buffer(cl_context context,
                                                     cl_mem_flags flags, size_t bytes,
                                                     void *host, cl_int *err)
{
    buffers_made++;
    return clCreateBuffer(context, flags, bytes, host, err);
}

static CL_API_ENTRY cl_int CL_API_CALL build_program(
    cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
    void(CL_CALLBACK *done)(cl_program, void *), void *user)
{
    builds++;
    return clBuildProgram(program, count, devices, options, done, user);
}

/* The table has no function that waits (clFinish, clWaitForEvents): calling one would crash. */
START_TEST(execution_allocates_and_builds_nothing)
{
    struct device *device = &harness.device;
    struct dl_transpose_error error = {""};
    struct dl_transpose *transpose;
    struct dl_transpose_plan *plan, *again;
    cl_mem mem = numbers_make(device, 5);
    unsigned before;

    dl__names_fill(&counted);
    counted.clCreateBuffer = create_buffer;
    counted.clBuildProgram = build_program;
    ck_assert_int_eq(
        dl_transpose_make(&counted, device->context, device->id, &transpose, &error),
        DL_OK);
    plan = plan_make(transpose, DL_TRANSPOSE_PANEL_ROWS);
    ck_assert_int_eq(dl_transpose_plan_allocate(plan, &error), DL_OK);
    ck_assert_uint_eq(buffers_made, 1);
    before = builds;
    ck_assert_uint_gt(before, 0);
    again = plan_make(transpose, DL_TRANSPOSE_PANEL_ROWS);
    ck_assert_int_eq(
        dl_transpose_enqueue(plan, device->queue, mem, NULL, 0, NULL, NULL, NULL, &error),
        DL_OK);
    ck_assert(numbers_are_transposed(device->queue, mem, 5));
    ck_assert_uint_eq(buffers_made, 1);
    ck_assert_uint_eq(builds, before);
    clReleaseMemObject(mem);
    dl_transpose_plan_free(again);
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

/* ---- threads ---- */

enum { THREADS = 3, ROUNDS = 4 };

struct thread {
    const struct dl_transpose_plan *plan; /* shared */
    unsigned number;
    bool good;
};

static void *thread_run(void *data)
{
    struct thread *thread = data;
    struct device *device = &harness.device;
    struct dl_transpose_info info;
    cl_command_queue queue = device_queue_make(device, 0);
    cl_int err;
    cl_mem work;

    dl_transpose_plan_info(thread->plan, &info);
    work = clCreateBuffer(device->context, CL_MEM_READ_WRITE, info.workspace_bytes, NULL,
                          &err);
    thread->good = queue && err == CL_SUCCESS;
    for (unsigned r = 0; r < ROUNDS && thread->good; r++) {
        int seed = (int)(thread->number * 100 + r),
            *numbers = malloc(ELEMENTS * sizeof *numbers);
        cl_mem mem;
        for (int i = 0; i < ELEMENTS; i++)
            numbers[i] = i ^ seed;
        mem = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                             ELEMENTS * sizeof *numbers, numbers, &err);
        thread->good = dl_transpose_enqueue(thread->plan, queue, mem, work, 0, NULL, NULL,
                                            NULL, NULL) == DL_OK &&
                       numbers_are_transposed(queue, mem, seed);
        clReleaseMemObject(mem);
        free(numbers);
    }
    clReleaseMemObject(work);
    clReleaseCommandQueue(queue);
    return NULL;
}

START_TEST(threads_share_a_plan)
{
    struct dl_transpose_plan *plan =
        plan_make(harness.transpose, DL_TRANSPOSE_PANEL_ROWS);
    struct thread threads[THREADS];
    pthread_t ids[THREADS];

    for (unsigned t = 0; t < THREADS; t++) {
        threads[t] = (struct thread){plan, t, false};
        ck_assert_int_eq(pthread_create(&ids[t], NULL, thread_run, &threads[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(ids[t], NULL);
        ck_assert_msg(threads[t].good, "thread %u", t);
    }
    dl_transpose_plan_free(plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose queues");
    TCase *tests = tcase_create("all");
    SRunner *runner;
    int failed;

    harness_open(&harness);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, execution_allocates_and_builds_nothing);
    tcase_add_test(tests, waits_for_events_out_of_order);
    tcase_add_test(tests, threads_share_a_plan);
    suite_add_tcase(suite, tests);
    runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    harness_close(&harness);
    return failed ? 1 : 0;
}
