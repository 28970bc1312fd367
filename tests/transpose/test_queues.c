/* Executing a plan: allocates nothing and waits for nothing, is ordered by events on any queue,
 * says what it left when a command is refused, and is safe from several threads at once. */
#include <check.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* For what must not happen: a test that is right passes however long it takes. */
static void sleep_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/* ---- what execution calls ---- */

static cl_icd_dispatch counted;
static unsigned buffers_made, builds, builds_allowed = UINT_MAX, builds_refused;
static unsigned launches, launches_allowed = UINT_MAX, events_made, events_freed;

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
    if (builds == builds_allowed) {
        builds_refused++;
        return CL_BUILD_PROGRAM_FAILURE;
    }
    builds++;
    return clBuildProgram(program, count, devices, options, done, user);
}

static CL_API_ENTRY cl_int CL_API_CALL
enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
               const size_t *offset, const size_t *global, const size_t *local,
               cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    cl_int err;

    if (launches == launches_allowed)
        return CL_INVALID_WORK_GROUP_SIZE;
    launches++;
    err = clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, wait_count,
                                 wait, event);
    events_made += err == CL_SUCCESS && event;
    return err;
}

static CL_API_ENTRY cl_int CL_API_CALL release_event(cl_event event)
{
    events_freed++;
    return clReleaseEvent(event);
}

/* A library that is counted, with all counts at zero. */
static struct dl_transpose *counted_make(void)
{
    struct dl_transpose_error error = {""};
    struct dl_transpose *transpose = NULL;

    dl__names_fill(&counted);
    counted.clCreateBuffer = create_buffer;
    counted.clBuildProgram = build_program;
    counted.clEnqueueNDRangeKernel = enqueue_kernel;
    counted.clReleaseEvent = release_event;
    buffers_made = builds = launches = events_made = events_freed = 0;
    launches_allowed = builds_allowed = UINT_MAX;
    ck_assert_msg(dl_transpose_make(&counted, harness.device.context, harness.device.id,
                                    &transpose, &error) == DL_OK,
                  "%s", error.text);
    return transpose;
}

/* The table has no function that waits (clFinish, clWaitForEvents): calling one would crash. */
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
    ck_assert_uint_eq(buffers_made, 1);
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
    /* An in-order queue needs no events. */
    ck_assert_uint_eq(events_made, 0);
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
    {DL_TRANSPOSE_STAGE4, 36, 40, 40},
    {DL_TRANSPOSE_STAGE4_FUSED, 36, 40, 40},
    {DL_TRANSPOSE_STAGE4_FUSED, 36, 5, 5}}; /* which begins with the fused pass */

/* Each command is refused once: the status says so, no event is left over, and `started` says
 * whether the matrix is what it was. */
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
        launches = events_made = events_freed = 0;
        launches_allowed = allowed;
        st = dl_transpose_enqueue(plan, queue, mem, NULL, 0, NULL, &event, &started,
                                  &error);
        clFinish(queue);
        ck_assert_int_eq(st, is_whole ? DL_OK : DL_ECL);
        ck_assert_uint_eq(launches, allowed);
        ck_assert_int_eq(event != NULL, is_whole);
        ck_assert_msg(events_made - events_freed == is_whole, "%u of %u events released",
                      events_freed, events_made);
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
    launches_allowed = UINT_MAX;
    clReleaseMemObject(mem);
    dl_transpose_plan_free(plan);
    clReleaseCommandQueue(queue);
    dl_transpose_free(transpose);
}
END_TEST

/* A compiler that fails is no shape that can't be: no other algorithm is tried, and the next plan
 * finds nothing half built. */
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
        builds_allowed = builds;
        builds_refused = 0;
        ck_assert_int_eq(dl_transpose_plan_make(transpose, &problem, &plan, &error),
                         DL_ECL);
        ck_assert_uint_eq(builds_refused, 1);
        ck_assert_ptr_eq(plan, (void *)&harness);
        builds_allowed = UINT_MAX;
        ck_assert_int_eq(dl_transpose_plan_make(transpose, &problem, &plan, &error),
                         DL_OK);
        dl_transpose_plan_free(plan);
    }
    dl_transpose_free(transpose);
}
END_TEST

/* ---- threads ---- */

enum { THREADS = 3, ROUNDS = 4 };

struct thread {
    const struct dl_transpose_plan *plan; /* shared */
    unsigned number;
    bool good;
    cl_mem mem; /* where each has its own from the beginning */
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
        threads[t] = (struct thread){plan, t, false, NULL};
        ck_assert_int_eq(pthread_create(&ids[t], NULL, thread_run, &threads[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(ids[t], NULL);
        ck_assert_msg(threads[t].good, "thread %u", t);
    }
    dl_transpose_plan_free(plan);
}
END_TEST

/* Which thread's arguments kernels have, while they have some; what else got in between. */
static atomic_uint checks, owner, intrusions;
static _Thread_local unsigned number; /* from 1 */

static CL_API_ENTRY cl_int CL_API_CALL get_memory_info(cl_mem mem, cl_mem_info what,
                                                       size_t bytes, void *value,
                                                       size_t *got)
{
    checks++;
    return clGetMemObjectInfo(mem, what, bytes, value, got);
}

static CL_API_ENTRY cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index,
                                                    size_t bytes, const void *value)
{
    unsigned before = atomic_exchange(&owner, number);

    intrusions += before != 0 && before != number;
    /* The others are all there, with nothing but the lock before them. */
    if (before == 0) {
        while (checks < 2 * THREADS)
            sched_yield();
        sleep_briefly();
    }
    return clSetKernelArg(kernel, index, bytes, value);
}

static CL_API_ENTRY cl_int CL_API_CALL
enqueue_own(cl_command_queue queue, cl_kernel kernel, cl_uint dims, const size_t *offset,
            const size_t *global, const size_t *local, cl_uint wait_count,
            const cl_event *wait, cl_event *event)
{
    intrusions += owner != number;
    owner = 0;
    return clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, wait_count,
                                  wait, event);
}

static void *argument_run(void *data)
{
    struct thread *thread = data;
    struct device *device = &harness.device;
    struct dl_transpose_info info;
    cl_command_queue queue = device_queue_make(device, 0);
    cl_mem work;

    number = thread->number + 1;
    dl_transpose_plan_info(thread->plan, &info);
    work = clCreateBuffer(device->context, CL_MEM_READ_WRITE, info.workspace_bytes, NULL,
                          NULL);
    thread->good = dl_transpose_enqueue(thread->plan, queue, thread->mem, work, 0, NULL,
                                        NULL, NULL, NULL) == DL_OK &&
                   numbers_are_transposed(queue, thread->mem, 3);
    clReleaseMemObject(work);
    clReleaseCommandQueue(queue);
    return NULL;
}

START_TEST(arguments_stay_until_the_launch)
{
    struct dl_transpose *transpose = counted_make();
    struct dl_transpose_plan *plan = plan_make(transpose, DL_TRANSPOSE_PANEL_ROWS);
    struct thread threads[THREADS];
    pthread_t ids[THREADS];

    counted.clGetMemObjectInfo = get_memory_info;
    counted.clSetKernelArg = set_argument;
    counted.clEnqueueNDRangeKernel = enqueue_own;
    checks = owner = intrusions = 0;
    for (unsigned t = 0; t < THREADS; t++) {
        threads[t] = (struct thread){plan, t, false, numbers_make(&harness.device, 3)};
        ck_assert_int_eq(pthread_create(&ids[t], NULL, argument_run, &threads[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++)
        pthread_join(ids[t], NULL);
    ck_assert_uint_eq(intrusions, 0);
    for (unsigned t = 0; t < THREADS; t++) {
        ck_assert_msg(threads[t].good, "thread %u", t);
        clReleaseMemObject(threads[t].mem);
    }
    dl_transpose_plan_free(plan);
    dl_transpose_free(transpose);
}
END_TEST

static struct dl_transpose *planning;
static pthread_barrier_t all_are_here;
static atomic_uint building, overlaps, programs;

static CL_API_ENTRY cl_int CL_API_CALL
build_alone(cl_program program, cl_uint count, const cl_device_id *devices,
            const char *options, void(CL_CALLBACK *done)(cl_program, void *), void *user)
{
    cl_int err;

    overlaps += atomic_fetch_add(&building, 1) > 0;
    programs++;
    sleep_briefly();
    err = clBuildProgram(program, count, devices, options, done, user);
    building--;
    return err;
}

/* Panels are built here, tiles by marshal_kernels. */
static void *plans_run(void *data)
{
    static const enum dl_transpose_algorithm algorithms[] = {DL_TRANSPOSE_PANEL_ROWS,
                                                             DL_TRANSPOSE_STAGE4};
    bool *good = data;

    *good = true;
    pthread_barrier_wait(&all_are_here);
    for (size_t a = 0; a < 2; a++) {
        struct dl_transpose_problem problem = {.rows = 36,
                                               .cols = 40,
                                               .element_bytes = 4,
                                               .algorithm = algorithms[a],
                                               .cap = DL_TRANSPOSE_CAP_ANY,
                                               .tile_rows = 6,
                                               .tile_cols = 5};
        struct dl_transpose_plan *plan = NULL;
        *good = *good && dl_transpose_plan_make(planning, &problem, &plan, NULL) == DL_OK;
        dl_transpose_plan_free(plan);
        pthread_barrier_wait(&all_are_here);
    }
    return NULL;
}

START_TEST(threads_build_each_program_once)
{
    pthread_t ids[THREADS];
    bool good[THREADS];
    unsigned alone = 0;

    for (unsigned count = 1; count <= THREADS; count += THREADS - 1) {
        planning = counted_make();
        counted.clBuildProgram = build_alone;
        building = overlaps = programs = 0;
        pthread_barrier_init(&all_are_here, NULL, count);
        for (unsigned t = 0; t < count; t++)
            ck_assert_int_eq(pthread_create(&ids[t], NULL, plans_run, &good[t]), 0);
        for (unsigned t = 0; t < count; t++) {
            pthread_join(ids[t], NULL);
            ck_assert_msg(good[t], "thread %u", t);
        }
        pthread_barrier_destroy(&all_are_here);
        dl_transpose_free(planning);
        if (count == 1)
            alone = programs;
        ck_assert_uint_eq(programs, alone);
        ck_assert_uint_eq(overlaps, 0);
    }
    ck_assert_uint_gt(alone, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose queues");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, execution_allocates_and_builds_nothing);
    tcase_add_test(tests, waits_for_events_out_of_order);
    tcase_add_test(tests, a_row_waits_for_events);
    tcase_add_loop_test(tests, a_refused_command_leaves_nothing_behind, 0,
                        sizeof refused / sizeof *refused);
    tcase_add_test(tests, a_refused_program_leaves_nothing_behind);
    tcase_add_test(tests, threads_share_a_plan);
    tcase_add_test(tests, arguments_stay_until_the_launch);
    tcase_add_test(tests, threads_build_each_program_once);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
