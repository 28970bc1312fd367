/* SPDX-License-Identifier: MIT */
/* dl-bench transpose: measures and checks transposition on a device, in place and out of
 * place. */
#include "progress.h"
#include "transpose.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void usage(FILE *out)
{
    fprintf(out, "usage: dl-bench transpose [options]\n\n");
#define X(name, flag, value, fallback, help)                                             \
    fprintf(out, "  --%-11s %-10s %s%s%s%s\n", flag, value, help, *fallback ? " [" : "", \
            fallback, *fallback ? "]" : "");
    TRANSPOSE_OPTION_MAP(X)
#undef X
    fprintf(out, "\nalgorithms:\n");
#define X(name, text, help) fprintf(out, "  %-14s %s\n", text, help);
    DL_TRANSPOSE_ALGORITHM_MAP(X)
#undef X
    fprintf(out, "\nknobs:\n");
    knobs_print(out, &dl__tuning_table, sizeof(struct dl__tuning));
    fprintf(out,
            "and those of dl-bench marshal, for the stages' elementary transpositions\n");
}

/* 0: go on; 1: help was printed; 2: bad options. */
static int options_parse(int argc, char **argv, struct transpose_options *options)
{
    *options = (struct transpose_options){
#define X(name, flag, value, fallback, help) .name = fallback,
        TRANSPOSE_OPTION_MAP(X)
#undef X
    };
    for (int a = 2; a < argc; a++) {
        char *equals = strchr(argv[a], '=');
        size_t bytes = equals ? (size_t)(equals - argv[a]) : strlen(argv[a]);
        const char **at = NULL;
        if (strcmp(argv[a], "--help") == 0 || strcmp(argv[a], "-h") == 0) {
            usage(stdout);
            return 1;
        }
#define X(name, flag, value, fallback, help)                                             \
    if (bytes == sizeof("--" flag) - 1 && strncmp(argv[a], "--" flag, bytes) == 0)       \
        at = &options->name;
        TRANSPOSE_OPTION_MAP(X)
#undef X
        if (!at) {
            fprintf(stderr,
                    "dl-bench: unknown option %s (see dl-bench transpose --help)\n",
                    argv[a]);
            return 2;
        }
        if (equals) {
            *at = equals + 1;
        } else if (strncmp(argv[a], "--explain", 9) == 0 &&
                   (a + 1 == argc || argv[a + 1][0] == '-')) {
            *at = "yes";
        } else if (a + 1 < argc) {
            *at = argv[++a];
        } else {
            fprintf(stderr, "dl-bench: %s needs a value\n", argv[a]);
            return 2;
        }
    }
    return 0;
}

static bool is_yes(const char *text)
{
    return strcmp(text, "yes") == 0;
}

/* The library's own knobs, and those of the elementary transpositions; NULL: only to see
 * that there is such a knob. */
static bool knob_set_transpose(void *target, const char *name, size_t name_bytes,
                               unsigned value)
{
    struct dl_transpose *transpose = target;
    const struct dl__number *number =
        dl__number_find(&dl__tuning_table, name, name_bytes);

    if (!number || number->is_real)
        return transpose ? dl__steps_set(&transpose->steps, name, name_bytes, value)
                         : knob_set_nowhere(NULL, name, name_bytes, value);
    if (transpose)
        dl__number_set(number, &transpose->tuning, value);
    return true;
}

static double event_ns(cl_event event, cl_profiling_info what)
{
    cl_ulong ns = 0;

    clGetEventProfilingInfo(event, what, sizeof ns, &ns, NULL);
    return (double)ns;
}

/* ---- one case ---- */

static struct dl_transpose_problem problem_of(const struct transpose_case *item)
{
    struct dl_transpose_problem problem = {
        .struct_bytes = sizeof problem,
        .rows = item->rows,
        .cols = item->cols,
        .element_bytes = item->element_bytes,
        .algorithm = item->algorithm,
        .tile_rows = item->tile_rows,
        .tile_cols = item->tile_cols,
        .batch = item->batch,
        .axis_count = item->axis_count,
        .place = item->is_out ? DL_TRANSPOSE_OUT_OF_PLACE : DL_TRANSPOSE_IN_PLACE};

    if (item->axis_count) {
        problem.rows = problem.cols = 0;
        memcpy(problem.permutation, item->permutation, sizeof problem.permutation);
        memcpy(problem.extents, item->extents, sizeof problem.extents);
    }

    if (strcmp(item->cap, "linear") == 0)
        problem.cap_bytes = LINEAR_CAP * (item->rows + item->cols) * item->element_bytes;
    if (strcmp(item->cap, "line") == 0)
        problem.cap_bytes =
            (item->rows > item->cols ? item->rows : item->cols) * item->element_bytes;
    problem.cap = strcmp(item->cap, "0") == 0     ? DL_TRANSPOSE_CAP_0
                  : strcmp(item->cap, "1") == 0   ? DL_TRANSPOSE_CAP_1
                  : strcmp(item->cap, "12") == 0  ? DL_TRANSPOSE_CAP_12
                  : strcmp(item->cap, "any") == 0 ? DL_TRANSPOSE_CAP_ANY
                  : strcmp(item->cap, "6") == 0   ? DL_TRANSPOSE_CAP_6
                                                  : DL_TRANSPOSE_CAP_DEFAULT;
    return problem;
}

/* Where cases run: `to` is for those out of place, else NULL. */
struct buffers {
    cl_mem mem, to;
};
enum { BUFFERS_MAX = 16 };

/* Prints the median time of every launch, each with an event of its own. */
static void steps_print(struct device *device, const struct dl_transpose_plan *plan,
                        struct buffers buffers, uint64_t bytes, int reps)
{
    cl_mem mem = buffers.mem;
    const struct dl__run_place place = {
        mem, plan->task.is_out ? buffers.to : plan->workspace, 0};
    double seconds[DL__LAUNCHES_MAX][64];
    cl_event events[DL__LAUNCHES_MAX];

    for (int r = 0; r < reps; r++) {
        device_fill(device, mem, bytes);
        for (size_t l = 0; l < plan->run_count; l++) {
            const struct dl__device_order order = {0, NULL, &events[l]};
            dl__run_enqueue(&plan->transpose->engine, device->queue, &plan->runs[l],
                            &place, &order);
        }
        clFinish(device->queue);
        for (size_t l = 0; l < plan->run_count; l++) {
            seconds[l][r] = 1e-9 * (event_ns(events[l], CL_PROFILING_COMMAND_END) -
                                    event_ns(events[l], CL_PROFILING_COMMAND_START));
            clReleaseEvent(events[l]);
        }
    }
    for (size_t l = 0; l < plan->run_count; l++) {
        printf("        %-28s %9.1f us\n", plan->runs[l].name,
               median_of(seconds[l], (size_t)reps) * 1e6);
    }
}

/* The time from the end of a fill that keeps the device busy until all is enqueued, so
 * that the gaps between launches count and the host's time does not. */
static cl_int transpose_time(struct device *device, const struct dl_transpose_plan *plan,
                             struct buffers buffers, uint64_t bytes, double *seconds,
                             enum dl_status *status, struct dl_transpose_error *error)
{
    cl_event filled = NULL, done = NULL;
    cl_int err = device_fill_start(device, buffers.mem, dl__round_up(bytes, 4), &filled);

    if (err != CL_SUCCESS)
        return err;
    *status = plan->task.is_out
                  ? dl_transpose_enqueue_out(plan, device->queue, buffers.mem, buffers.to,
                                             0, NULL, &done, error)
                  : dl_transpose_enqueue(plan, device->queue, buffers.mem, NULL, 0, NULL,
                                         &done, NULL, error);
    if (*status == DL_OK) {
        err = clWaitForEvents(1, &done);
        *seconds = 1e-9 * (event_ns(done, CL_PROFILING_COMMAND_END) -
                           event_ns(filled, CL_PROFILING_COMMAND_END));
        clReleaseEvent(done);
    }
    clReleaseEvent(filled);
    return err;
}

/* The same of a kernel that reads and writes the matrix where it lies. */
static double touch_speed(struct device *device, cl_mem mem, uint64_t bytes, int reps)
{
    double seconds[64];

    for (int r = -1; r < reps; r++) {
        cl_event filled = NULL, done = NULL;
        if (device_fill_start(device, mem, dl__round_up(bytes, 4), &filled) !=
                CL_SUCCESS ||
            device_touch_start(device, mem, bytes, &done) != CL_SUCCESS ||
            clWaitForEvents(1, &done) != CL_SUCCESS)
            return 0;
        seconds[r < 0 ? 0 : r] = 1e-9 * (event_ns(done, CL_PROFILING_COMMAND_END) -
                                         event_ns(filled, CL_PROFILING_COMMAND_END));
        clReleaseEvent(filled);
        clReleaseEvent(done);
    }
    return 2.0 * (double)bytes / median_of(seconds, (size_t)reps);
}

static struct transpose_result
case_run_one(struct device *device, struct dl_transpose *transpose,
             const struct transpose_case *item, struct buffers buffers,
             const struct transpose_options *options, struct dl_transpose_error *error)
{
    struct transpose_result result = {.status = DL_OK};
    struct dl_transpose_problem problem = problem_of(item);
    struct dl_transpose_plan *plan = NULL;
    const struct bench_axes axes = transpose_case_axes(item);
    uint64_t bytes = transpose_case_bytes(item);
    int reps = atoi(options->reps);
    double start = now_s(), seconds[64];
    cl_int err = CL_SUCCESS;

    reps = reps < 1 ? 1 : reps > 63 ? 63 : reps;
    result.status = dl_transpose_plan_make(transpose, &problem, &plan, error);
    result.plan_s = now_s() - start;
    if (result.status == DL_OK)
        result.status = dl_transpose_plan_allocate(plan, error);
    if (result.status != DL_OK)
        goto out;
    dl_transpose_plan_info(plan, &result.info);
    if (is_yes(options->explain)) {
        char text[900];
        dl_transpose_plan_explain(plan, text, sizeof text);
        printf("  %llu x %llu of %u bytes: %s\n", (unsigned long long)item->rows,
               (unsigned long long)item->cols, item->element_bytes, text);
    }
    for (int r = -1; r < reps && err == CL_SUCCESS && result.status == DL_OK; r++) {
        err = transpose_time(device, plan, buffers, bytes, &seconds[r < 0 ? 0 : r],
                             &result.status, error);
        if (r == -1 && is_yes(options->check) && err == CL_SUCCESS &&
            result.status == DL_OK)
            err = device_check_axes(device, item->is_out ? buffers.to : buffers.mem,
                                    &axes, &result.errors);
    }
    if (err != CL_SUCCESS) {
        result.status = DL_ECL;
        snprintf(error->text, sizeof error->text, "OpenCL error %d", err);
    }
    if (result.status != DL_OK)
        goto out;
    result.bytes_per_s = 2.0 * (double)bytes / median_of(seconds, (size_t)reps);
    if (is_yes(options->steps))
        steps_print(device, plan, buffers, bytes, reps);
    if (strcmp(item->set, "square") == 0)
        result.touch_bytes_per_s = touch_speed(device, buffers.mem, bytes, reps);
out:
    dl_transpose_plan_free(plan);
    return result;
}

/* ---- all cases ---- */

/* In each of the buffers; the result whose speed is in the middle, with the errors of
 * all. */
static struct transpose_result case_run_all(struct device *device,
                                            struct dl_transpose *transpose,
                                            const struct transpose_case *item,
                                            const struct buffers *buffers, size_t count,
                                            const struct transpose_options *options,
                                            struct dl_transpose_error *error)
{
    struct transpose_result results[BUFFERS_MAX];
    cl_uint errors = 0;

    for (size_t b = 0; b < count; b++) {
        struct transpose_result result =
            case_run_one(device, transpose, item, buffers[b], options, error);
        size_t at = b;
        if (result.status != DL_OK)
            return result;
        errors += result.errors;
        for (; at > 0 && results[at - 1].bytes_per_s > result.bytes_per_s; at--)
            results[at] = results[at - 1];
        results[at] = result;
    }
    results[count / 2].errors = errors;
    return results[count / 2];
}

static bool cases_run(struct device *device, const struct transpose_options *options,
                      const struct transpose_case *cases, size_t count,
                      const struct buffers *buffers, size_t buffer_count, double copy,
                      FILE *csv)
{
    uint64_t cache = bytes_parse(options->cache);
    char label[256];
    size_t variants = knobs_parse(options->knobs, 0, knob_set_transpose, NULL, ' ', label,
                                  sizeof label);
    double *shares = calloc(count, sizeof *shares);
    struct progress progress = progress_begin(variants * count);
    bool good = shares != NULL;

    for (size_t v = 0; v < variants && shares; v++) {
        struct dl_transpose *transpose;
        struct dl_transpose_error error = {""};
        if (dl_transpose_make(NULL, device->context, device->id, &transpose, &error) !=
            DL_OK) {
            fprintf(stderr, "dl-bench: %s\n", error.text);
            good = false;
            break;
        }
        knobs_parse(options->knobs, v, knob_set_transpose, transpose, ' ', label,
                    sizeof label);
        for (size_t c = 0; c < count; c++) {
            struct transpose_result result = case_run_all(
                device, transpose, &cases[c], buffers, buffer_count, options, &error);
            bool refused = cases[c].algorithm != DL_TRANSPOSE_AUTO &&
                           (result.status == DL_EREFUSED || result.status == DL_ENOTSUP);
            shares[c] = 100 * result.bytes_per_s / copy;
            good = good && (result.status == DL_OK || refused) && result.errors == 0;
            progress_clear();
            transpose_result_print(csv, &cases[c], label, &result, copy, &error);
            progress_step(&progress);
        }
        transpose_summary_print(cases, count, shares, cache, copy, label);
        transpose_choice_print(cases, count, shares);
        dl_transpose_free(transpose);
    }
    free(shares);
    return good;
}

static FILE *csv_open(const char *path, const struct device *device, double copy)
{
    FILE *csv = fopen(path, "w");

    if (!csv) {
        perror(path);
        return NULL;
    }
    setvbuf(csv, NULL, _IOLBF, 0); /* rows stay, however it ends */
    fprintf(csv, "# %s, driver %s, copy %.1f GB/s\n", device->name, device->driver,
            copy * 1e-9);
    fprintf(csv, "set,rows,cols,element_bytes,cap,algorithm,taken,status,errors,gb_per_s,"
                 "share_percent,workspace_bytes,passes,launches,tile_rows,tile_cols,"
                 "plan_s,touch_percent,knobs,batch,axes\n");
    return csv;
}

/* As many as are asked for, each with room for the largest case. False: some are there,
 * though. */
static bool buffers_make(const struct device *device, const struct transpose_case *cases,
                         size_t count, struct buffers *out, size_t buffer_count)
{
    uint64_t most = 4096, most_out = 0;
    cl_int err = CL_SUCCESS;

    for (size_t c = 0; c < count; c++) {
        uint64_t need = transpose_case_bytes(&cases[c]);
        most = need > most ? need : most;
        most_out = cases[c].is_out && need > most_out ? need : most_out;
    }
    for (size_t b = 0; b < buffer_count && err == CL_SUCCESS; b++) {
        out[b].mem =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, most + 4, NULL, &err);
        if (most_out > 0 && err == CL_SUCCESS)
            out[b].to = clCreateBuffer(device->context, CL_MEM_READ_WRITE, most_out + 4,
                                       NULL, &err);
    }
    if (err != CL_SUCCESS)
        fprintf(stderr, "dl-bench: no device memory for %zu times %llu bytes\n",
                buffer_count, (unsigned long long)(most + most_out));
    return err == CL_SUCCESS;
}

/* All cases on a device that is open. */
static bool device_measure(struct device *device, const struct transpose_options *options,
                           uint64_t bytes, const struct transpose_case *cases,
                           size_t count)
{
    /* Far beyond any cache, unless told to stay small. */
    uint64_t copy_bytes =
        device->type == CL_DEVICE_TYPE_CPU ? UINT64_C(1) << 26 : UINT64_C(1) << 30;
    struct buffers buffers[BUFFERS_MAX] = {{NULL, NULL}};
    int wanted = atoi(options->buffers);
    size_t buffer_count = wanted < 1             ? 1
                          : wanted > BUFFERS_MAX ? BUFFERS_MAX
                                                 : (size_t)wanted;
    FILE *csv = NULL;
    bool good = false;
    double copy;

    printf("%s, driver %s\n", device->name, device->driver);
    if (*options->bytes && bytes < copy_bytes)
        copy_bytes = dl__round_up(bytes, 4096);
    copy = device_copy_speed(device, copy_bytes, atoi(options->reps));
    if (copy == 0)
        fprintf(stderr, "dl-bench: no device memory for a copy\n");
    else if (buffers_make(device, cases, count, buffers, buffer_count) &&
             (!*options->csv || (csv = csv_open(options->csv, device, copy))))
        good = cases_run(device, options, cases, count, buffers, buffer_count, copy, csv);
    if (csv)
        fclose(csv);
    for (size_t b = 0; b < buffer_count; b++) {
        if (buffers[b].mem)
            clReleaseMemObject(buffers[b].mem);
        if (buffers[b].to)
            clReleaseMemObject(buffers[b].to);
    }
    return good;
}

int transpose_main(int argc, char **argv)
{
    struct transpose_options options;
    struct device device;
    struct transpose_case *cases = NULL;
    uint64_t bytes;
    size_t count = 0;
    bool good = false;
    int parsed = options_parse(argc, argv, &options);

    if (parsed)
        return parsed == 1 ? 0 : 2;
    if (!knobs_check(options.knobs, &dl__tuning_table))
        return 2;
    if (!device_open(&device, options.device))
        return 1;
    bytes = *options.bytes                      ? bytes_parse(options.bytes)
            : device.type == CL_DEVICE_TYPE_CPU ? UINT64_C(256) << 20
                                                : UINT64_C(4) << 30;
    if (transpose_cases_make(&options, bytes, &cases, &count))
        good = device_measure(&device, &options, bytes, cases, count);
    free(cases);
    device_close(&device);
    return good ? 0 : 1;
}
