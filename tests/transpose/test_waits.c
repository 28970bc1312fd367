/* SPDX-License-Identifier: MIT */
/* A work-group that is about to overwrite what others read waits until each of them has
 * counted. The model test knows whom it must wait for; here a single work-group of each
 * kernel is run, late in the order, with the others' counts in the host's hands.
 *
 * For devices that see host memory while they run: CPUs. */
#include <check.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

enum { ROWS = 70, COLS = 60, APART = 91, PAGE = 4096 };

static struct harness harness;

static const struct {
    const char *kernel;
    struct dl_transpose_problem problem;
} cases[] = {{"dl_panel_split_blocks", {.algorithm = DL_TRANSPOSE_PANEL_ROWS}},
             {"dl_panel_join", {.algorithm = DL_TRANSPOSE_PANEL_COLS}},
             {"dl_pack", {.algorithm = DL_TRANSPOSE_ONCHIP, .leading = APART}},
             {"dl_pack", {.algorithm = DL_TRANSPOSE_ONCHIP, .leading_out = APART}}};

/* A ticket and whom its work-group waits for: counters [first, past), `step` words apart
 * after the ticket, that must reach `full`. */
struct waits {
    uint32_t ticket, first, past, step, full;
};

static struct waits panel_waits(const struct panel_shape *s, bool joining)
{
    uint32_t tiles = s->tiles_across * s->tiles_down;
    struct waits waits = {
        .ticket = tiles * s->blocks - 1, .step = COUNT_WORDS, .full = tiles};
    /* Tiles of this device: its lines `panels 4` and `joins 0`
     * (engine/devices/cpu.device). */
    const unsigned side = joining ? 32 : 64;
    struct tile tile = tile_of(s, waits.ticket, side, side, joining);

    if (joining)
        join_waits_for(s, tile, 32, &waits.first, &waits.past);
    else
        split_waits_for(s, tile, &waits.first, &waits.past);
    return waits;
}

static struct waits pack_waits(const struct pack_shape *s, bool spreading)
{
    struct waits waits = {.ticket = s->chunks - 1, .step = 1, .full = 1};

    if (spreading)
        pack_spread_waits_for(s, 0, 2048, &waits.first, &waits.past);
    else
        pack_together_waits_for(s, s->chunks - 1, 2048, &waits.first, &waits.past);
    return waits;
}

static bool host_is_seen(void)
{
    cl_device_type type = 0;
    cl_bool unified = CL_FALSE;

    clGetDeviceInfo(harness.device.id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    clGetDeviceInfo(harness.device.id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified,
                    &unified, NULL);
    return (type & CL_DEVICE_TYPE_CPU) && unified;
}

/* Runs the work-group while counter `missing`, if there is one, has one less than it
 * should. Did it wait? */
static bool waits_for(const struct dl__run *run, const struct waits *waits,
                      uint32_t missing, cl_mem mem, cl_mem work, atomic_uint *words)
{
    const struct timespec briefly = {.tv_nsec = 20000000};
    cl_ulong base = 0;
    cl_int state = CL_COMPLETE;
    cl_event done;

    for (uint32_t c = waits->first; c < waits->past; c++)
        words[(c + 1) * waits->step] = waits->full - (c == missing);
    words[0] = waits->ticket;
    clSetKernelArg(run->kernel, 0, sizeof mem, &mem);
    clSetKernelArg(run->kernel, 1, sizeof base, &base);
    clSetKernelArg(run->kernel, 2, run->args[DL__ARG_NUMBERS].bytes,
                   dl__run_value(run, DL__ARG_NUMBERS));
    clSetKernelArg(run->kernel, 3, sizeof work, &work);
    ck_assert_int_eq(clEnqueueNDRangeKernel(harness.device.queue, run->kernel, 1, NULL,
                                            run->local, run->local, 0, NULL, &done),
                     CL_SUCCESS);
    clFlush(harness.device.queue);
    nanosleep(&briefly, NULL); /* a test that is right passes however long it takes */
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (missing < waits->past)
        words[(missing + 1) * waits->step] = waits->full;
    ck_assert_int_eq(clWaitForEvents(1, &done), CL_SUCCESS);
    clReleaseEvent(done);
    return state != CL_COMPLETE;
}

START_TEST(a_work_group_waits)
{
    struct dl_transpose_problem problem = cases[_i].problem;
    struct dl_transpose_error error = {""};
    struct dl_transpose_plan *plan;
    const struct dl__run *run = NULL;
    struct waits waits;
    size_t bytes;
    cl_int err;
    cl_mem mem, work;
    void *words;

    problem.rows = ROWS;
    problem.cols = COLS;
    problem.element_bytes = 4;
    problem.cap = DL_TRANSPOSE_CAP_ANY;
    ck_assert_msg(dl_transpose_plan_make(harness.transpose, &problem, &plan, &error) ==
                      DL_OK,
                  "%s", error.text);
    for (size_t r = 0; r < plan->run_count; r++)
        if (strcmp(plan->runs[r].name, cases[_i].kernel) == 0)
            run = &plan->runs[r];
    ck_assert_ptr_nonnull(run);
    waits = _i < 2 ? panel_waits(dl__run_value(run, DL__ARG_NUMBERS), _i == 1)
                   : pack_waits(dl__run_value(run, DL__ARG_NUMBERS), _i == 3);
    ck_assert_uint_lt(waits.first, waits.past);
    bytes = (size_t)dl__round_up(plan->info.workspace_bytes, PAGE);
    words = aligned_alloc(PAGE, bytes);
    memset(words, 0, bytes);
    mem = clCreateBuffer(harness.device.context, CL_MEM_READ_WRITE, ROWS * APART * 4,
                         NULL, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    work = clCreateBuffer(harness.device.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR,
                          bytes, words, &err);
    ck_assert_int_eq(err, CL_SUCCESS);
    /* Once for the compiler, whose time is no waiting. */
    waits_for(run, &waits, UINT32_MAX, mem, work, words);
    ck_assert_msg(waits_for(run, &waits, waits.first, mem, work, words),
                  "%s does not wait for the first", cases[_i].kernel);
    ck_assert_msg(waits_for(run, &waits, waits.past - 1, mem, work, words),
                  "%s does not wait for the last", cases[_i].kernel);
    clReleaseMemObject(work);
    clReleaseMemObject(mem);
    free(words);
    dl_transpose_plan_free(plan);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transpose waits");
    TCase *tests = tcase_create("all");

    harness_open(&harness);
    if (!host_is_seen()) {
        printf("the device does not see host memory while it runs: skipped\n");
        harness_close(&harness);
        return 77;
    }
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, a_work_group_waits, 0, sizeof cases / sizeof *cases);
    suite_add_tcase(suite, tests);
    return harness_run_all(&harness, suite);
}
