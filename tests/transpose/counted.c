/* SPDX-License-Identifier: MIT */
/* A library whose calls of OpenCL are counted, and refused on request. */
#include "counted.h"

#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

struct harness harness;

cl_mem numbers_make(const struct device *device, int seed)
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

bool numbers_are_transposed(cl_command_queue queue, cl_mem mem, int seed)
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

struct dl_transpose_plan *plan_make(struct dl_transpose *transpose,
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

void sleep_briefly(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

/* ---- what execution calls ---- */

cl_icd_dispatch counted;
struct counts counts = {.builds_allowed = UINT_MAX, .launches_allowed = UINT_MAX};

static CL_API_ENTRY cl_mem CL_API_CALL create_buffer(cl_context context,
                                                     cl_mem_flags flags, size_t bytes,
                                                     void *host, cl_int *err)
{
    counts.buffers_made++;
    return clCreateBuffer(context, flags, bytes, host, err);
}

static CL_API_ENTRY cl_int CL_API_CALL build_program(
    cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
    void(CL_CALLBACK *done)(cl_program, void *), void *user)
{
    if (counts.builds == counts.builds_allowed) {
        counts.builds_refused++;
        return CL_BUILD_PROGRAM_FAILURE;
    }
    counts.builds++;
    return clBuildProgram(program, count, devices, options, done, user);
}

static CL_API_ENTRY cl_int CL_API_CALL
enqueue_kernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
               const size_t *offset, const size_t *global, const size_t *local,
               cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    cl_int err;

    if (counts.launches == counts.launches_allowed)
        return CL_INVALID_WORK_GROUP_SIZE;
    counts.launches++;
    err = clEnqueueNDRangeKernel(queue, kernel, dims, offset, global, local, wait_count,
                                 wait, event);
    counts.events_made += err == CL_SUCCESS && event;
    return err;
}

static CL_API_ENTRY cl_int CL_API_CALL release_event(cl_event event)
{
    counts.events_freed++;
    return clReleaseEvent(event);
}

struct dl_transpose *counted_make(void)
{
    struct dl_transpose_error error = {""};
    struct dl_transpose *transpose = NULL;

    dl__names_fill(&counted);
    counted.clCreateBuffer = create_buffer;
    counted.clBuildProgram = build_program;
    counted.clEnqueueNDRangeKernel = enqueue_kernel;
    counted.clReleaseEvent = release_event;
    counts = (struct counts){.builds_allowed = UINT_MAX, .launches_allowed = UINT_MAX};
    ck_assert_msg(dl_transpose_make(&counted, harness.device.context, harness.device.id,
                                    &transpose, &error) == DL_OK,
                  "%s", error.text);
    return transpose;
}
