/* SPDX-License-Identifier: MIT */
/* dl-bench overhead --time: what DL adds to the calls of programs, in microseconds of the
 * host, over the machine's own driver. Each program runs in processes of its own,
 * natively and under dl-run by turns. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "overhead.h"

/* A batch is short enough that no driver's queue is full. */
enum { BATCHES = 101, BATCH_CALLS = 64, REPS_MAX = 99 };

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* One of a platform whose name has `part` in it, or with that in its own. */
static bool find_on(cl_platform_id platform, const char *part, cl_device_id *found)
{
    char name[256] = "";
    cl_device_id devices[16];
    cl_uint count = 0;
    bool any_device;

    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    any_device = strstr(name, part) != NULL;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices, &count) != CL_SUCCESS)
        return false;
    for (cl_uint d = 0; d < count && d < 16; d++) {
        clGetDeviceInfo(devices[d], CL_DEVICE_NAME, sizeof name, name, NULL);
        if (any_device || strstr(name, part)) {
            *found = devices[d];
            return true;
        }
    }
    return false;
}

void overhead_find(cl_platform_id *platform, cl_device_id *device)
{
    const char *part = getenv(OVERHEAD_DEVICE);
    cl_platform_id platforms[16];
    cl_uint count = 0;

    overhead_must(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint p = 0; p < count && p < 16; p++) {
        if (find_on(platforms[p], part ? part : "", device)) {
            *platform = platforms[p];
            return;
        }
    }
    fprintf(stderr, "dl-bench overhead: there is no device '%s'\n", part ? part : "");
    exit(1);
}

int overhead_time_program(const struct overhead_program *program)
{
    program->open();
    for (size_t c = 0; c < program->case_count; c++) {
        double batches[BATCHES];

        for (unsigned i = 0; i < OVERHEAD_WARM_CALLS; i++)
            program->cases[c].call(i);
        for (unsigned b = 0; b < BATCHES; b++) {
            double start;

            program->finish();
            start = now_ns();
            for (unsigned i = 0; i < BATCH_CALLS; i++)
                program->cases[c].call(i);
            batches[b] = (now_ns() - start) / BATCH_CALLS;
        }
        program->finish();
        printf("%.1f\n", median_of(batches, BATCHES));
    }
    return 0;
}

/* Runs a program and adds what its calls took. */
static bool run_once(const char *command, size_t case_count,
                     double times[OVERHEAD_CASES_MAX][REPS_MAX], unsigned rep)
{
    FILE *pipe = popen(command, "r");
    size_t got = 0;
    int status;

    if (!pipe)
        return false;
    while (got < case_count && fscanf(pipe, "%lf", &times[got][rep]) == 1)
        got++;
    status = pclose(pipe);
    if (got == case_count && status == 0)
        return true;
    fprintf(stderr, "dl-bench overhead: '%s' has not printed its times\n", command);
    return false;
}

static bool time_program(const char *self, const char *runner, const char *cache,
                         size_t which, unsigned reps)
{
    const struct overhead_program *program = overhead_programs[which];
    static double native[OVERHEAD_CASES_MAX][REPS_MAX],
        under_dl[OVERHEAD_CASES_MAX][REPS_MAX];
    char plain[PATH_MAX + 64], with_dl[3 * PATH_MAX];

    snprintf(plain, sizeof plain, "'%s' overhead --time --program %zu", self, which);
    snprintf(with_dl, sizeof with_dl, "'%s' --cache '%s' --log quiet%s%s -- %s", runner,
             cache, program->layout ? " --layout " : "",
             program->layout ? program->layout : "", plain);
    /* What has to be built is built, and what can be remembered is. */
    for (unsigned r = 0; r < 2; r++)
        if (!run_once(with_dl, program->case_count, under_dl, 0))
            return false;
    for (unsigned r = 0; r < reps; r++)
        if (!run_once(plain, program->case_count, native, r) ||
            !run_once(with_dl, program->case_count, under_dl, r))
            return false;
    printf("%-31s  native  under DL   added, us\n", program->title);
    for (size_t c = 0; c < program->case_count; c++) {
        double own = median_of(native[c], reps) / 1e3,
               ours = median_of(under_dl[c], reps) / 1e3;

        printf("%-31s %7.3f %9.3f %7.3f\n", program->cases[c].name, own, ours,
               ours - own);
    }
    fflush(stdout);
    return true;
}

bool overhead_time(const char *self, const char *runner, unsigned reps)
{
    char cache[] = "/tmp/dl-overhead-XXXXXX", command[sizeof cache + 16];
    bool good = true;

    if (!mkdtemp(cache)) {
        perror(cache);
        return false;
    }
    for (size_t which = 0; which < OVERHEAD_PROGRAMS; which++)
        good =
            time_program(self, runner, cache, which, reps < REPS_MAX ? reps : REPS_MAX) &&
            good;
    snprintf(command, sizeof command, "rm -rf -- '%s'", cache);
    return system(command) == 0 && good;
}
