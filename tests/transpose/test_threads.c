/* SPDX-License-Identifier: MIT */
/* One library and one plan are safe from several threads at once. */
#include <check.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "counted.h"

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

/* Which thread's arguments kernels have, while they have some; what else got in between.
 */
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
                                                             DL__COMPARED(STAGE4)};
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
    Suite *suite = suite_create("transpose threads");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, threads_share_a_plan);
    tcase_add_test(tests, arguments_stay_until_the_launch);
    tcase_add_test(tests, threads_build_each_program_once);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
