/* SPDX-License-Identifier: MIT */
/* One transposition on the device beside its reference. */
#include "harness.h"
#include "transpose/algorithms/algorithm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/common/random_numbers.h"

static char message[1024];

void harness_open(struct harness *harness)
{
    struct dl_transpose_error error;

    memset(harness, 0, sizeof *harness);
    harness->seed = 1;
    device_open(&harness->device);
    if (dl_transpose_make(NULL, harness->device.context, harness->device.id,
                          &harness->transpose, &error) != DL_OK) {
        fprintf(stderr, "dl_transpose_make: %s\n", error.text);
        exit(1);
    }
}

void harness_as_gpu(struct harness *harness)
{
    struct dl_transpose *transpose = harness->transpose;
    struct dl__device_limits limits = {.local_bytes = HARNESS_GPU_LOCAL_BYTES,
                                       .alloc_bytes = UINT64_C(32) << 30,
                                       .group_items = 1024,
                                       .compute_units = 132};

    transpose->engine.limits = limits;
    transpose->engine.file = dl__device_file_named("gpu");
    dl__numbers_read(dl__device_file_named("gpu"), NULL, 0, &dl__tuning_table,
                     &transpose->tuning);
}

void harness_close(struct harness *harness)
{
    dl_transpose_free(harness->transpose);
    device_close(&harness->device);
}

int harness_run_all(struct harness *harness, Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;

    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    harness_close(harness);
    return failed ? 1 : 0;
}

void harness_seed(struct harness *harness)
{
    const char *seed = getenv("DL_TEST_SEED");

    if (seed)
        harness->seed = strtoull(seed, NULL, 10);
    printf("seed %llu\n", (unsigned long long)harness->seed);
}

bool harness_is_out(enum dl_transpose_algorithm algorithm)
{
    return strncmp(dl_transpose_algorithm_name(algorithm), "out", 3) == 0;
}

uint64_t harness_random(struct harness *harness, uint64_t below)
{
    return random_size_below(&harness->seed, below);
}

/* The buffer as it should be. Bytes between rows that may change are marked in `loose`.
 */
static void reference_make(const struct dl_transpose_problem *p,
                           const unsigned char *from, unsigned char *to,
                           unsigned char *loose, size_t bytes)
{
    bool col = p->order == DL_TRANSPOSE_COL_MAJOR,
         inv = p->direction == DL_TRANSPOSE_INVERSE;
    /* The stored matrix: a lines of b elements each; afterwards b lines of a. */
    uint64_t a = col == inv ? p->rows : p->cols, b = col == inv ? p->cols : p->rows;
    uint64_t lead = inv ? p->leading_out : p->leading;
    uint64_t lead_out = inv ? p->leading : p->leading_out;
    uint64_t batch = p->batch ? p->batch : 1, e = p->element_bytes, span, stride;

    lead = lead ? lead : b;
    lead_out = lead_out ? lead_out : a;
    span = (a - 1) * lead + b;
    if ((b - 1) * lead_out + a > span)
        span = (b - 1) * lead_out + a;
    stride = p->batch_stride ? p->batch_stride : span;
    memcpy(to, from, bytes);
    memset(loose, 0, bytes);
    for (uint64_t k = 0; k < batch; k++) {
        uint64_t base = p->offset_bytes + k * stride * e;
        if (a != b || lead != lead_out)
            memset(loose + base, 1, span * e);
        for (uint64_t i = 0; i < a; i++)
            for (uint64_t j = 0; j < b; j++) {
                memcpy(to + base + (j * lead_out + i) * e,
                       from + base + (i * lead + j) * e, e);
                memset(loose + base + (j * lead_out + i) * e, 0, e);
            }
    }
}

static uint64_t buffer_bytes_of(const struct dl_transpose_problem *p)
{
    struct dl_transpose_problem dense = *p;
    uint64_t a = p->rows, b = p->cols, span, other, stride, lead, lead_out;
    bool col = p->order == DL_TRANSPOSE_COL_MAJOR;

    lead = dense.leading ? dense.leading : col ? a : b;
    lead_out = dense.leading_out ? dense.leading_out : col ? b : a;
    span = col ? (b - 1) * lead + a : (a - 1) * lead + b;
    other = col ? (a - 1) * lead_out + b : (b - 1) * lead_out + a;
    span = other > span ? other : span;
    stride = p->batch_stride ? p->batch_stride : span;
    return p->offset_bytes +
           (((p->batch ? p->batch : 1) - 1) * stride + span) * p->element_bytes;
}

/* A workspace that is full of something, with as much again after its end that must stay.
 */
enum { GUARD_BYTES = 256, GUARD = 0xa5 };

static cl_mem workspace_make(const struct harness *harness, uint64_t bytes)
{
    unsigned char *full = malloc(bytes + GUARD_BYTES);
    cl_int err;
    cl_mem mem;

    memset(full, GUARD, bytes + GUARD_BYTES);
    mem =
        clCreateBuffer(harness->device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       bytes + GUARD_BYTES, full, &err);
    free(full);
    return err == CL_SUCCESS ? mem : NULL;
}

static bool workspace_is_kept_to(const struct harness *harness, cl_mem work,
                                 uint64_t bytes)
{
    unsigned char guard[GUARD_BYTES];

    if (clEnqueueReadBuffer(harness->device.queue, work, CL_TRUE, bytes, GUARD_BYTES,
                            guard, 0, NULL, NULL) != CL_SUCCESS)
        return false;
    for (size_t b = 0; b < GUARD_BYTES; b++)
        if (guard[b] != GUARD)
            return false;
    return true;
}

/* What is compared, each as long as the buffer. */
struct bytes {
    uint64_t count;
    unsigned char *from, *got, *want;
    unsigned char *loose; /* bytes between rows that may change */
};

static struct bytes bytes_make(struct harness *harness,
                               const struct dl_transpose_problem *problem,
                               size_t spare_bytes)
{
    struct bytes bytes = {.count = buffer_bytes_of(problem) + spare_bytes};

    bytes.from = malloc(bytes.count);
    bytes.got = malloc(bytes.count);
    bytes.want = malloc(bytes.count);
    bytes.loose = malloc(bytes.count);
    for (uint64_t b = 0; b < bytes.count; b++)
        bytes.from[b] = (unsigned char)harness_random(harness, 256);
    reference_make(problem, bytes.from, bytes.want, bytes.loose, bytes.count);
    return bytes;
}

static void bytes_free(struct bytes *bytes)
{
    free(bytes->from);
    free(bytes->got);
    free(bytes->want);
    free(bytes->loose);
}

/* Transposes on the device; what went wrong, or NULL. */
static const char *plan_run(struct harness *harness, const struct dl_transpose_plan *plan,
                            struct bytes *bytes, struct dl_transpose_error *error)
{
    cl_command_queue queue = harness->device.queue;
    struct dl_transpose_info info;
    const char *wrong = "OpenCL failed";
    cl_mem mem = NULL, work;
    cl_int err;

    dl_transpose_plan_info(plan, &info);
    work = workspace_make(harness, info.workspace_bytes);
    if (!work)
        return "no workspace";
    mem =
        clCreateBuffer(harness->device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                       bytes->count, bytes->from, &err);
    if (err == CL_SUCCESS) {
        if (dl_transpose_enqueue(plan, queue, mem, work, 0, NULL, NULL, NULL, error) !=
            DL_OK)
            wrong = error->text;
        else if (clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, bytes->count, bytes->got, 0,
                                     NULL, NULL) == CL_SUCCESS)
            wrong = workspace_is_kept_to(harness, work, info.workspace_bytes)
                        ? NULL
                        : "something was written past the workspace";
    }
    if (mem)
        clReleaseMemObject(mem);
    clReleaseMemObject(work);
    return wrong;
}

static const char *compare(const struct dl_transpose_problem *problem,
                           const struct bytes *bytes, const char *what)
{
    for (uint64_t b = 0; b < bytes->count; b++)
        if (bytes->got[b] != bytes->want[b] && !bytes->loose[b]) {
            snprintf(
                message, sizeof message,
                "byte %llu of %llu differs: %llu x %llu of %u bytes, order %d, direction "
                "%d, batch %llu: %s",
                (unsigned long long)b, (unsigned long long)bytes->count,
                (unsigned long long)problem->rows, (unsigned long long)problem->cols,
                problem->element_bytes, problem->order, problem->direction,
                (unsigned long long)problem->batch, what);
            return message;
        }
    return NULL;
}

const char *harness_run(struct harness *harness,
                        const struct dl_transpose_problem *problem, size_t spare_bytes)
{
    struct dl_transpose_plan *plan = NULL;
    struct dl_transpose_error error = {""};
    const char *wrong = error.text;
    char what[300] = "";
    enum dl_status st =
        dl_transpose_plan_make(harness->transpose, problem, &plan, &error);

    if (problem->algorithm != DL_TRANSPOSE_AUTO &&
        (st == DL_ENOTSUP || st == DL_EREFUSED)) {
        harness->refused++;
        return NULL;
    }
    if (st == DL_OK) {
        struct bytes bytes = bytes_make(harness, problem, spare_bytes);
        harness->made++;
        dl_transpose_plan_explain(plan, what, sizeof what);
        wrong = plan_run(harness, plan, &bytes, &error);
        if (!wrong)
            wrong = compare(problem, &bytes, what);
        bytes_free(&bytes);
    }
    if (wrong && wrong != message) {
        snprintf(message, sizeof message, "%llu x %llu of %u bytes: %.300s: %.600s",
                 (unsigned long long)problem->rows, (unsigned long long)problem->cols,
                 problem->element_bytes, wrong, what);
        wrong = message;
    }
    dl_transpose_plan_free(plan);
    return wrong;
}
