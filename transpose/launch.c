/* SPDX-License-Identifier: MIT */
/* For every algorithm: names, errors, the numbers of a device, and launches. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms/algorithm.h"

/* ---- names ---- */

static const char *const names[] = {
#define X(name, text, help) text,
    DL__ALGORITHM_MAP(X)
#undef X
};

const char *dl_transpose_algorithm_name(enum dl_transpose_algorithm algorithm)
{
    return (unsigned)algorithm < DL__ALGORITHMS ? names[algorithm] : "?";
}

enum dl_status dl_transpose_algorithm_find(const char *name,
                                           enum dl_transpose_algorithm *out)
{
    for (unsigned a = 0; a < DL__ALGORITHMS; a++) {
        if (strcmp(names[a], name) == 0) {
            *out = (enum dl_transpose_algorithm)a;
            return DL_OK;
        }
    }
    return DL_EINVAL;
}

/* ---- errors ---- */

enum dl_status dl__fail(struct dl_transpose_error *error, enum dl_status status,
                        const char *format, ...)
{
    va_list args;

    if (error) {
        va_start(args, format);
        vsnprintf(error->text, sizeof error->text, format, args);
        va_end(args);
    }
    return status;
}

enum dl_status dl__decline(const struct dl_transpose_plan *plan, const char *why, ...)
{
    char text[sizeof plan->error->text];
    va_list args;

    va_start(args, why);
    vsnprintf(text, sizeof text, why, args);
    va_end(args);
    return dl__fail(plan->error, DL_ENOTSUP, "%s can't do this: %s",
                    dl_transpose_algorithm_name(plan->info.algorithm), text);
}

enum dl_status dl__decline_cap(const struct dl_transpose_plan *plan,
                               uint64_t needed_bytes)
{
    const unsigned long long cap = plan->task.cap_bytes;

    return dl__fail(plan->error, DL_EREFUSED,
                    "%s needs %s%llu bytes of workspace, but the cap is %llu: raise the "
                    "cap, or leave the algorithm to auto",
                    dl_transpose_algorithm_name(plan->info.algorithm),
                    needed_bytes ? "" : "more than ", needed_bytes ? needed_bytes : cap,
                    cap);
}

void dl__describe(struct dl_transpose_plan *plan, uint64_t tile_rows, uint64_t tile_cols,
                  const char *why, ...)
{
    va_list args;

    plan->info.passes = 1;
    plan->info.tile_rows = tile_rows;
    plan->info.tile_cols = tile_cols;
    va_start(args, why);
    vsnprintf(plan->why, sizeof plan->why, why, args);
    va_end(args);
}

/* ---- the device's numbers ---- */

static const struct dl__number numbers[] = {
#define X(name, rule, help) DL__KNOB(struct dl__tuning, name, rule, help),
    DL_TRANSPOSE_KNOB_MAP(X)
#undef X
#define X(name, help) DL__NUMBER(struct dl__tuning, name, help),
        DL_TRANSPOSE_COST_MAP(X)
#undef X
};

const struct dl__number_table dl__tuning_table = {numbers,
                                                  sizeof numbers / sizeof *numbers};

struct dl__tuning dl__tuning_for(const struct dl_transpose *transpose, const char *family,
                                 uint64_t bytes)
{
    struct dl__tuning tuning = {0};

    dl__numbers_read(transpose->engine.file, family, bytes, &dl__tuning_table, &tuning);
    for (size_t n = 0; n < sizeof numbers / sizeof *numbers; n++) {
        double asked = dl__number_get(&numbers[n], &transpose->tuning);
        if (asked != 0)
            dl__number_set(&numbers[n], &tuning, asked);
    }
    return tuning;
}

/* ---- launches ---- */

struct divisor dl__divisor_make(uint32_t number)
{
    struct divisor by = {.number = number};
    uint64_t reciprocal;

    while (number >> by.shift > 1)
        by.shift++;
    reciprocal = (UINT64_C(1) << (32 + by.shift)) / number;
    by.reciprocal = reciprocal > UINT32_MAX ? UINT32_MAX : (uint32_t)reciprocal;
    return by;
}

static enum dl_status kernel_get(const struct dl_transpose_plan *plan,
                                 const struct dl__launch *launch, const char *knobs,
                                 cl_kernel *out)
{
    struct dl__engine *engine = &plan->transpose->engine;
    struct dl__build_failure failure;
    enum dl_status st;

    pthread_mutex_lock(&engine->lock);
    st = dl__engine_kernel(engine, launch->source, knobs, launch->kernel, out, &failure);
    pthread_mutex_unlock(&engine->lock);
    if (st == DL_OK)
        return DL_OK;
    if (failure.is_built)
        return dl__fail(plan->error, st, "kernel %s can't be created (OpenCL error %d)",
                        launch->kernel, failure.err);
    return dl__fail(plan->error, st,
                    "the kernels can't be built for this device (OpenCL error %d)",
                    failure.err);
}

enum dl_status dl__launch_add(struct dl_transpose_plan *plan,
                              const struct dl__launch *launch, const char *knobs, ...)
{
    struct dl__run run = {.name = launch->kernel,
                          .dims = 3,
                          .reads_only = launch->reads_only,
                          .local = {launch->group, 1, 1}};
    char *text = NULL;
    va_list args;
    int bytes;
    enum dl_status st;

    if (plan->run_count == DL__LAUNCHES_MAX)
        return dl__decline(plan, "it takes too many launches");
    va_start(args, knobs);
    bytes = vasprintf(&text, knobs, args);
    va_end(args);
    if (bytes < 0)
        return dl__fail(plan->error, DL_ENOMEM, "out of host memory");
    st = kernel_get(plan, launch, text, &run.kernel);
    free(text);
    if (st != DL_OK)
        return st;
    for (unsigned d = 0; d < 3; d++)
        run.global[d] = (launch->groups[d] ? launch->groups[d] : 1) * run.local[d];
    dl__run_add_buffer(&run);
    dl__run_add_base(&run, plan->task.offset_bytes);
    dl__run_add_value(&run, launch->numbers, launch->numbers_bytes);
    dl__run_add_workspace(&run);
    plan->runs[plan->run_count++] = run;
    return DL_OK;
}

enum dl_status dl__repeat_last(struct dl_transpose_plan *plan, size_t runs,
                               uint64_t repeats, uint64_t stride_bytes)
{
    struct dl__phase before = {plan->run_count - runs, 1, 0};

    if (runs == 0 || repeats == 1)
        return DL_OK;
    for (size_t p = 0; p < plan->phase_count; p++)
        before.runs -= plan->phases[p].runs;
    if (plan->phase_count + 2 > DL__PHASES_MAX)
        return dl__decline(plan, "it takes too many launches");
    if (before.runs > 0)
        plan->phases[plan->phase_count++] = before;
    plan->phases[plan->phase_count++] = (struct dl__phase){runs, repeats, stride_bytes};
    return DL_OK;
}
