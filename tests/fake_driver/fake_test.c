/* SPDX-License-Identifier: MIT */
/* The fake driver does what fake.h says, for tests are only as good as it is. Each test
 * is a process of its own, with the environment of its own. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue, other_queue;

static void open_driver(void)
{
    cl_platform_id platform;

    ck_assert_int_eq(clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    ck_assert_int_eq(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
                     CL_SUCCESS);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    other_queue = clCreateCommandQueue(context, device,
                                       CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, NULL);
    ck_assert(queue && other_queue);
}

static cl_mem buffer_of(int value)
{
    return clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, NULL);
}

static cl_int status_of(cl_event event)
{
    cl_int status = -12345;

    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                   NULL);
    return status;
}

START_TEST(commands_run_at_once)
{
    cl_mem mem = buffer_of(7);
    int value = 0;

    ck_assert_int_eq(
        clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, 4, &value, 0, NULL, NULL), 0);
    ck_assert_int_eq(value, 7);
}
END_TEST

START_TEST(deferred_commands_wait_for_a_flush)
{
    cl_mem mem;
    int value = 0;

    setenv("FAKE_DEFERRED", "1", 1);
    mem = buffer_of(7);
    clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, 4, &value, 0, NULL, NULL);
    ck_assert_int_eq(value, 0);
    /* Released while enqueued, it lives until the command has run. */
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_INVALID_MEM_OBJECT);
    clFlush(queue);
    ck_assert_int_eq(value, 7);
}
END_TEST

START_TEST(unordered_commands_run_newest_first_but_for_edges)
{
    cl_mem one, two;
    cl_event first;
    int value = 0;

    setenv("FAKE_DEFERRED", "1", 1);
    one = buffer_of(1);
    two = buffer_of(2);
    clEnqueueReadBuffer(other_queue, one, CL_FALSE, 0, 4, &value, 0, NULL, NULL);
    clEnqueueReadBuffer(other_queue, two, CL_FALSE, 0, 4, &value, 0, NULL, NULL);
    clFinish(other_queue);
    ck_assert_int_eq(value, 1);
    clEnqueueReadBuffer(other_queue, one, CL_FALSE, 0, 4, &value, 0, NULL, &first);
    clEnqueueReadBuffer(other_queue, two, CL_FALSE, 0, 4, &value, 1, &first, NULL);
    clFinish(other_queue);
    ck_assert_int_eq(value, 2);
    clEnqueueReadBuffer(other_queue, one, CL_FALSE, 0, 4, &value, 0, NULL, NULL);
    clEnqueueBarrierWithWaitList(other_queue, 0, NULL, NULL);
    clEnqueueReadBuffer(other_queue, two, CL_FALSE, 0, 4, &value, 0, NULL, NULL);
    clFinish(other_queue);
    ck_assert_int_eq(value, 2);
}
END_TEST

/* Aborts: the other queue was never flushed. */
START_TEST(waits_that_cannot_end_abort)
{
    cl_event event;
    cl_mem mem;
    int value;

    setenv("FAKE_DEFERRED", "1", 1);
    setenv("FAKE_DEADLOCK_SECONDS", "1", 1);
    mem = buffer_of(1);
    clEnqueueReadBuffer(other_queue, mem, CL_FALSE, 0, 4, &value, 0, NULL, &event);
    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &value, 1, &event, NULL);
}
END_TEST

START_TEST(user_events_hold_commands_back)
{
    cl_event user = clCreateUserEvent(context, NULL), event;
    cl_mem mem = buffer_of(5);
    int value = 0;

    clEnqueueReadBuffer(queue, mem, CL_FALSE, 0, 4, &value, 1, &user, &event);
    clFlush(queue);
    ck_assert_int_gt(status_of(event), CL_COMPLETE);
    ck_assert_int_eq(value, 0);
    clSetUserEventStatus(user, _i ? -5 : CL_COMPLETE);
    ck_assert_int_eq(value, _i ? 0 : 5);
    ck_assert_int_eq(status_of(event),
                     _i ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_COMPLETE);
}
END_TEST

START_TEST(handles_are_reused_at_once)
{
    cl_mem mem = buffer_of(1), again;

    clReleaseMemObject(mem);
    again = buffer_of(2);
    ck_assert_ptr_eq(mem, again);
}
END_TEST

START_TEST(nth_call_fails)
{
    cl_int err[4];

    setenv("FAKE_FAIL", "clFlush:2=-9,clCreateBuffer:3=-4", 1);
    for (int i = 0; i < 4; i++)
        clCreateBuffer(context, 0, 4, NULL, &err[i]);
    ck_assert_int_eq(err[0], 0);
    ck_assert_int_eq(err[1], 0);
    ck_assert_int_eq(err[2], -4);
    ck_assert_int_eq(err[3], 0);
    ck_assert_int_eq(clFlush(queue), 0);
    ck_assert_int_eq(clFlush(queue), -9);
}
END_TEST

START_TEST(kernels_are_found_and_some_run)
{
    const char *text =
        "// __kernel void in_comment(int a) {}\n"
        "#define K __kernel void in_macro(int a)\n"
        "__kernel void declared(int a);\n"
        "/* kernel void no(void) {} */ __kernel __attribute__((x(1, 2)))\n"
        "void fake_scale(__global float *restrict a, const float s) {}\n"
        "kernel void plain(local int *l, sampler_t s, int b[4], void *p) {}\n";
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    float value = 3, two = 2;
    cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &value, NULL);
    const size_t one = 1;
    cl_kernel kernel;
    cl_uint count;
    char names[128];

    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
    ck_assert_str_eq(names, "fake_scale;plain");
    kernel = clCreateKernel(program, "plain", NULL);
    clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL);
    ck_assert_uint_eq(count, 4);
    kernel = clCreateKernel(program, "fake_scale", NULL);
    ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof mem, &mem), 0);
    ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof two, &two), 0);
    /* What counts is the arguments at the time of the launch. */
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL);
    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL);
    ck_assert(value == 6);
}
END_TEST

static char log_path[] = "/tmp/fake_testXXXXXX";

/* The log is opened by the first call. */
static void open_logged_driver(void)
{
    ck_assert_int_ge(mkstemp(log_path), 0);
    setenv("FAKE_LOG", log_path, 1);
    open_driver();
}

START_TEST(log_names_objects_by_creation)
{
    char text[2048] = "", *tail;
    int value;
    cl_mem mem;
    FILE *log;

    clReleaseMemObject(buffer_of(1));
    mem = buffer_of(1);
    clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL);
    log = fopen(log_path, "r");
    ck_assert(fread(text, 1, sizeof text - 1, log) > 0);
    remove(log_path);
    tail = strstr(text, "clCreateBuffer");
    ck_assert(tail != NULL);
    ck_assert_str_eq(tail,
                     "clCreateBuffer(context#1, 0x20, 4, ptr) = mem#1 0\n"
                     "clReleaseMemObject(mem#1)\n"
                     "clCreateBuffer(context#1, 0x20, 4, ptr) = mem#2 0\n"
                     "clEnqueueReadBuffer(queue#1, mem#2, 1, 0, 4, ptr, w0 -> -) = 0\n");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fake_driver");
    TCase *tcase = tcase_create("driver"), *quiet = tcase_create("log");
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tcase, open_driver, NULL);
    tcase_set_timeout(tcase, 20);
    tcase_add_test(tcase, commands_run_at_once);
    tcase_add_test(tcase, deferred_commands_wait_for_a_flush);
    tcase_add_test(tcase, unordered_commands_run_newest_first_but_for_edges);
    tcase_add_test_raise_signal(tcase, waits_that_cannot_end_abort, 6);
    tcase_add_loop_test(tcase, user_events_hold_commands_back, 0, 2);
    tcase_add_test(tcase, handles_are_reused_at_once);
    tcase_add_test(tcase, nth_call_fails);
    tcase_add_test(tcase, kernels_are_found_and_some_run);
    suite_add_tcase(suite, tcase);
    tcase_add_checked_fixture(quiet, open_logged_driver, NULL);
    tcase_add_test(quiet, log_names_objects_by_creation);
    suite_add_tcase(suite, quiet);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
