/* SPDX-License-Identifier: MIT */
/* Calls that are wrong, with a plan that is right: a status and a sentence, nothing is
 * enqueued, the matrix and the event are as they were. */
#include <check.h>
#include <string.h>

#include "harness.h"

static struct harness harness;

enum { ROWS = 211, COLS = 307, MATRIX_BYTES = ROWS * COLS * 4 };

struct call {
    struct dl_transpose_plan *plan;
    cl_command_queue queue;
    cl_mem mem, work;
    cl_uint wait_count;
    const cl_event *wait;
};

static cl_mem make_buffer(cl_context context, cl_mem_flags flags, size_t bytes)
{
    cl_int err;
    cl_mem mem = clCreateBuffer(context, flags, bytes, NULL, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    return mem;
}

static cl_mem make_part(cl_mem mem, size_t origin_bytes, size_t bytes)
{
    const cl_buffer_region region = {origin_bytes, bytes};
    cl_int err;
    cl_mem part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);

    ck_assert_int_eq(err, CL_SUCCESS);
    return part;
}

/* Says so, has not begun, gives no event. */
static void refused(const struct call *call, enum dl_status status, const char *says)
{
    struct dl_transpose_error error = {""};
    cl_event event = (cl_event)&harness;
    int started = 1;
    enum dl_status st =
        dl_transpose_enqueue(call->plan, call->queue, call->mem, call->work,
                             call->wait_count, call->wait, &event, &started, &error);

    ck_assert_msg(st == status, "%s: %s", dl_status_name(st), error.text);
    ck_assert_msg(strstr(error.text, says) != NULL, "%s", error.text);
    ck_assert_int_eq(started, 0);
    ck_assert_ptr_eq(event, (void *)&harness);
    ck_assert_int_eq(dl_transpose_enqueue(call->plan, call->queue, call->mem, call->work,
                                          call->wait_count, call->wait, NULL, NULL, NULL),
                     status);
}

static void refused_mem(struct call call, cl_mem mem, const char *says)
{
    call.mem = mem;
    refused(&call, DL_EINVAL, says);
    clReleaseMemObject(mem);
}

static void refused_work(struct call call, cl_mem work, const char *says)
{
    call.work = work;
    refused(&call, DL_EINVAL, says);
    clReleaseMemObject(work);
}

static struct call call_begin(cl_mem *whole, struct dl_transpose_info *info)
{
    struct dl_transpose_problem problem = {.rows = ROWS,
                                           .cols = COLS,
                                           .element_bytes = 4,
                                           .algorithm = DL_TRANSPOSE_PANEL_ROWS};
    struct dl_transpose_error error = {""};
    struct call call = {.queue = harness.device.queue};

    ck_assert_msg(
        dl_transpose_plan_make(harness.transpose, &problem, &call.plan, &error) == DL_OK,
        "%s", error.text);
    dl_transpose_plan_info(call.plan, info);
    ck_assert_uint_gt(info->workspace_bytes, 0);
    *whole = make_buffer(harness.device.context, CL_MEM_READ_WRITE, 1 << 20);
    call.mem = make_part(*whole, 4096, MATRIX_BYTES);
    call.work =
        make_buffer(harness.device.context, CL_MEM_READ_WRITE, info->workspace_bytes);
    return call;
}

static void call_end(struct call *call, cl_mem whole)
{
    clReleaseMemObject(call->work);
    clReleaseMemObject(call->mem);
    clReleaseMemObject(whole);
    dl_transpose_plan_free(call->plan);
}

/* What the buffer has after any number of refused calls. */
static void check_untouched(const struct call *call, const unsigned char *bytes)
{
    static unsigned char seen[MATRIX_BYTES];

    clFinish(call->queue);
    ck_assert_int_eq(clEnqueueReadBuffer(call->queue, call->mem, CL_TRUE, 0, MATRIX_BYTES,
                                         seen, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_mem_eq(seen, bytes, MATRIX_BYTES);
}

START_TEST(enqueue_refuses_what_would_be_wrong)
{
    static unsigned char bytes[MATRIX_BYTES];
    cl_context context = harness.device.context, other;
    struct dl_transpose_info info;
    cl_mem whole, outside;
    struct call call = call_begin(&whole, &info), bad;
    size_t work_bytes = info.workspace_bytes;
    cl_int err;

    for (size_t i = 0; i < MATRIX_BYTES; i++)
        bytes[i] = (unsigned char)(i * 7 + i / 251);
    ck_assert_int_eq(clEnqueueWriteBuffer(call.queue, call.mem, CL_TRUE, 0, MATRIX_BYTES,
                                          bytes, 0, NULL, NULL),
                     CL_SUCCESS);
    other = clCreateContext(NULL, 1, &harness.device.id, NULL, NULL, &err);
    ck_assert_int_eq(err, CL_SUCCESS);

    bad = call;
    bad.plan = NULL;
    refused(&bad, DL_EINVAL, "plan is NULL");
    bad = call;
    bad.mem = NULL;
    refused(&bad, DL_ECL, "the buffer is not valid");
    bad = call;
    bad.queue = NULL;
    refused(&bad, DL_ECL, "the queue is not valid");
    bad.queue = clCreateCommandQueueWithProperties(other, harness.device.id, NULL, &err);
    refused(&bad, DL_EINVAL, "the queue belongs to another context");
    clReleaseCommandQueue(bad.queue);

    refused_mem(call, make_buffer(other, CL_MEM_READ_WRITE, MATRIX_BYTES),
                "the buffer belongs to another context");
    refused_mem(call, make_buffer(context, CL_MEM_READ_ONLY, MATRIX_BYTES),
                "the buffer is read-only");
    refused_mem(call, make_buffer(context, CL_MEM_WRITE_ONLY, MATRIX_BYTES),
                "the buffer is write-only");
    outside = make_buffer(context, CL_MEM_READ_ONLY, 1 << 20);
    refused_mem(call, make_part(outside, 4096, MATRIX_BYTES), "the buffer is read-only");
    clReleaseMemObject(outside);
    refused_mem(call, make_part(whole, 0, MATRIX_BYTES - 1), "ends at byte");

    refused_work(call, make_buffer(other, CL_MEM_READ_WRITE, work_bytes),
                 "the workspace belongs to another context");
    refused_work(call, make_buffer(context, CL_MEM_READ_ONLY, work_bytes),
                 "the workspace is read-only");
    refused_work(call, make_buffer(context, CL_MEM_READ_WRITE, work_bytes - 1),
                 "the plan needs a workspace of");
    clRetainMemObject(call.mem);
    refused_work(call, call.mem, "the workspace overlaps");
    clRetainMemObject(whole);
    refused_work(call, whole, "the workspace overlaps");
    refused_work(call, make_part(whole, 4096 + MATRIX_BYTES / 4096 * 4096, work_bytes),
                 "the workspace overlaps");
    check_untouched(&call, bytes);
    clReleaseContext(other);
    call_end(&call, whole);
}
END_TEST

START_TEST(enqueue_refuses_wrong_lists)
{
    cl_context other;
    struct dl_transpose_info info;
    cl_mem whole;
    struct call call = call_begin(&whole, &info), bad = call;
    cl_event events[2];
    cl_int err;

    other = clCreateContext(NULL, 1, &harness.device.id, NULL, NULL, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    events[0] = clCreateUserEvent(harness.device.context, &err);
    events[1] = clCreateUserEvent(other, &err);
    bad.wait_count = 1;
    refused(&bad, DL_EINVAL, "wait_count is 1, but wait is NULL");
    bad.wait_count = 0;
    bad.wait = events;
    refused(&bad, DL_EINVAL, "wait_count is 0, but wait is not NULL");
    bad.wait_count = 2;
    refused(&bad, DL_EINVAL, "event 1 of wait belongs to another context");
    clReleaseEvent(events[1]);
    events[1] = NULL;
    refused(&bad, DL_ECL, "event 1 of wait is not valid");
    clSetUserEventStatus(events[0], CL_COMPLETE);
    clReleaseEvent(events[0]);
    clReleaseContext(other);
    call_end(&call, whole);
}
END_TEST

/* Where the platform has two devices. */
START_TEST(enqueue_refuses_another_device)
{
    struct dl_transpose_problem problem = {.rows = 3, .cols = 5, .element_bytes = 4};
    struct call call = {.wait_count = 0};
    struct dl_transpose *both;
    cl_platform_id platform;
    cl_device_id devices[2];
    cl_context context;
    cl_uint count = 0;
    cl_int err;

    clGetDeviceInfo(harness.device.id, CL_DEVICE_PLATFORM, sizeof platform, &platform,
                    NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count);
    if (count < 2)
        return;
    context = clCreateContext(NULL, 2, devices, NULL, NULL, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    ck_assert_int_eq(dl_transpose_make(NULL, context, devices[0], &both, NULL), DL_OK);
    ck_assert_int_eq(dl_transpose_plan_make(both, &problem, &call.plan, NULL), DL_OK);
    call.mem = make_buffer(context, CL_MEM_READ_WRITE, 60);
    call.queue = clCreateCommandQueueWithProperties(context, devices[1], NULL, &err);
    refused(&call, DL_EINVAL, "the queue is for another device");
    clReleaseCommandQueue(call.queue);
    clReleaseMemObject(call.mem);
    dl_transpose_plan_free(call.plan);
    dl_transpose_free(both);
    clReleaseContext(context);
}
END_TEST

/* As near to what is refused as may be. */
START_TEST(enqueue_takes_what_is_right)
{
    struct dl_transpose_info info;
    cl_mem whole, mem, work;
    struct call call = call_begin(&whole, &info);
    size_t work_bytes = info.workspace_bytes;

    mem = make_buffer(harness.device.context, CL_MEM_HOST_NO_ACCESS, MATRIX_BYTES);
    work = make_part(whole, 4096 + (MATRIX_BYTES + 4095) / 4096 * 4096, work_bytes);
    ck_assert_int_eq(dl_transpose_enqueue(call.plan, call.queue, mem, call.work, 0, NULL,
                                          NULL, NULL, NULL),
                     DL_OK);
    ck_assert_int_eq(dl_transpose_enqueue(call.plan, call.queue, call.mem, work, 0, NULL,
                                          NULL, NULL, NULL),
                     DL_OK);
    clFinish(call.queue);
    clReleaseMemObject(work);
    clReleaseMemObject(mem);
    call_end(&call, whole);
}
END_TEST

START_TEST(nothing_given_is_refused)
{
    struct dl_transpose_problem problem = {.rows = 3, .cols = 5, .element_bytes = 4};
    struct dl_transpose_plan *plan;
    struct dl_transpose *made;

    ck_assert_int_eq(dl_transpose_plan_make(NULL, &problem, &plan, NULL), DL_EINVAL);
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, NULL, &plan, NULL),
                     DL_EINVAL);
    ck_assert_int_eq(dl_transpose_plan_make(harness.transpose, &problem, NULL, NULL),
                     DL_EINVAL);
    ck_assert_int_eq(dl_transpose_plan_allocate(NULL, NULL), DL_EINVAL);
    ck_assert_int_eq(dl_transpose_make(NULL, NULL, harness.device.id, &made, NULL),
                     DL_EINVAL);
    ck_assert_int_eq(dl_transpose_make(NULL, harness.device.context, NULL, &made, NULL),
                     DL_EINVAL);
    ck_assert_int_eq(
        dl_transpose_make(NULL, harness.device.context, harness.device.id, NULL, NULL),
        DL_EINVAL);
    dl_transpose_plan_free(NULL);
    dl_transpose_free(NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose bad calls");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, enqueue_refuses_what_would_be_wrong);
    tcase_add_test(tests, enqueue_refuses_wrong_lists);
    tcase_add_test(tests, enqueue_refuses_another_device);
    tcase_add_test(tests, enqueue_takes_what_is_right);
    tcase_add_test(tests, nothing_given_is_refused);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
