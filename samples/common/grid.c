/* SPDX-License-Identifier: MIT */
/* A program around one kernel that steps over the cells of a grid. */
#include "common/grid.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    const char *device, *kernel_file, *timeline;
    int size[3], step_count;
    bool check, profile;
};

/* The grids on the device, and which of them a launch has first. */
struct state {
    const struct sample_grid *grid;
    cl_mem grids[2];
};

static bool parse_settings(int argc, char **argv, const struct sample_grid *grid,
                           struct settings *settings, bool *help)
{
    char sizes[64];
    const bool flat = grid->dims == 2;
    const struct sample_option options[] = {
        {"--device", SAMPLE_TEXT, &settings->device,
         "part of the device's or platform's name"},
        {"--size", flat ? SAMPLE_AREA : SAMPLE_SIZE, settings->size, sizes},
        {"--steps", SAMPLE_COUNT, &settings->step_count, "steps (default 100)"},
        {"--kernel", SAMPLE_TEXT, &settings->kernel_file,
         "read the kernel from this file instead of the built-in one"},
        {"--check", SAMPLE_FLAG, &settings->check,
         "compare with a scalar reference on the host"},
        {"--profile", SAMPLE_FLAG, &settings->profile,
         "also print device_s, the kernels' own time on the device"},
        {"--timeline", SAMPLE_TEXT, &settings->timeline,
         "write to this file when each step ended; none goes ahead of them"},
    };

    snprintf(sizes, sizeof sizes,
             flat ? "cells (default %dx%d)" : "cells (default %dx%dx%d)", grid->size[0],
             grid->size[1], grid->size[2]);
    if (!sample_options_parse(argc, argv, grid->summary, options,
                              sizeof options / sizeof *options, help))
        return false;
    for (int d = 0; d < grid->dims; d++)
        if (settings->size[d] < 3) {
            fprintf(stderr,
                    "%s: --size: a dimension has fewer than 3 cells, all of them at the "
                    "border\n",
                    argv[0]);
            return false;
        }
    /* The kernel counts floats in an int. */
    if ((double)settings->size[0] * settings->size[1] * settings->size[2] *
            grid->cell_floats >
        (double)INT_MAX) {
        fprintf(stderr, "%s: --size: more than %d floats\n", argv[0], INT_MAX);
        return false;
    }
    return settings->step_count <= INT_MAX / grid->launches;
}

static size_t float_count(const struct sample_grid *grid, const int *size)
{
    return (size_t)size[0] * (size_t)size[1] * (size_t)size[2] *
           (size_t)grid->cell_floats;
}

/* ---- on the device ---- */

static bool prepare(cl_kernel kernel, int launch, void *user)
{
    const struct state *state = user;
    const struct sample_grid *grid = state->grid;
    const int turn = grid->swaps ? launch % 2 : 0, number = launch % grid->launches;
    cl_int error = CL_SUCCESS;

    for (cl_uint a = 0; a < 2 && error == CL_SUCCESS; a++)
        error = clSetKernelArg(kernel, a, sizeof(cl_mem), &state->grids[(int)a ^ turn]);
    if (error == CL_SUCCESS && grid->launches > 1)
        error = clSetKernelArg(kernel, 2 + (cl_uint)grid->dims, sizeof number, &number);
    return sample_cl_ok(error, "clSetKernelArg");
}

static bool set_sizes(cl_kernel kernel, const struct sample_grid *grid, const int *size)
{
    cl_int error = CL_SUCCESS;

    for (cl_uint d = 0; d < (cl_uint)grid->dims && error == CL_SUCCESS; d++)
        error = clSetKernelArg(kernel, 2 + d, sizeof size[d], &size[d]);
    return sample_cl_ok(error, "clSetKernelArg");
}

/* Reads back into `first` the grid that was written last. */
static bool step_on_device(const struct sample_grid *grid,
                           const struct settings *settings, float *first,
                           const float *second, double *wall_s, double *device_s)
{
    const size_t bytes = float_count(grid, settings->size) * sizeof *first;
    const size_t group = sample_group_length((size_t)settings->size[0] - 2);
    struct state state = {.grid = grid};
    struct sample_cl cl;
    struct sample_run run = {
        .work_dim = (cl_uint)grid->dims,
        .global_size = {sample_round_up((size_t)settings->size[0] - 2, group),
                        (size_t)settings->size[1] - 2,
                        grid->dims == 3 ? (size_t)settings->size[2] - 2 : 1},
        .local_size = {group, 1, 1},
        .step_count = settings->step_count * grid->launches,
        .profile = settings->profile,
        .prepare = prepare,
        .user = &state,
    };
    bool done = false;
    cl_int error;

    if (!sample_cl_open(settings->device, settings->profile, &cl) ||
        !sample_cl_build(&cl, settings->kernel_file, grid->kernel_text, ""))
        goto out;
    run.kernel = clCreateKernel(cl.program, grid->kernel_name, &error);
    if (!sample_cl_ok(error, "clCreateKernel") ||
        !set_sizes(run.kernel, grid, settings->size))
        goto out;
    state.grids[0] = sample_cl_buffer(&cl, bytes, first);
    state.grids[1] = state.grids[0] ? sample_cl_buffer(&cl, bytes, second) : NULL;
    if (!state.grids[1] || !sample_run_steps(&cl, &run, wall_s, device_s))
        goto out;
    done = sample_cl_ok(
        clEnqueueReadBuffer(cl.queue, state.grids[grid->swaps ? run.step_count % 2 : 0],
                            CL_TRUE, 0, bytes, first, 0, NULL, NULL),
        "clEnqueueReadBuffer");
out:
    for (int g = 0; g < 2; g++)
        if (state.grids[g])
            clReleaseMemObject(state.grids[g]);
    if (run.kernel)
        clReleaseKernel(run.kernel);
    sample_cl_close(&cl);
    return done;
}

/* ---- on the host ---- */

/* Makes the steps again and compares. False after a message. */
static bool check(const struct sample_grid *grid, const struct settings *settings,
                  const float *got, double *error_max)
{
    const size_t count = float_count(grid, settings->size);
    float *grids[2] = {malloc(count * sizeof(float)), malloc(count * sizeof(float))};
    const float *want;
    bool good = grids[0] && grids[1];
    int launches = settings->step_count * grid->launches;

    *error_max = 0;
    if (good)
        grid->fill(settings->size, grids[0], grids[1]);
    else
        fputs("out of memory\n", stderr);
    for (int l = 0; l < launches && good; l++) {
        const int turn = grid->swaps ? l % 2 : 0;
        grid->launch(settings->size, grids[turn], grids[1 - turn], l % grid->launches);
    }
    want = grids[grid->swaps ? launches % 2 : 0];
    for (size_t i = 0; i < count && good; i++) {
        double error = got[i] == want[i] ? 0 : sample_relative_error(got[i], want[i]);

        if (error > *error_max)
            *error_max = error;
        good = error <= SAMPLE_ERROR_MAX;
        if (!good)
            fprintf(stderr, "check: float %zu is %.9g, not %.9g\n", i, got[i], want[i]);
    }
    free(grids[0]);
    free(grids[1]);
    return good;
}

/* ---- the program ---- */

static int step_and_print(const struct sample_grid *grid, const struct settings *settings,
                          float *first, float *second)
{
    const size_t count = float_count(grid, settings->size);
    double wall_s, device_s, error_max;
    int exit_code = EXIT_SUCCESS;

    grid->fill(settings->size, first, second);
    if (!step_on_device(grid, settings, first, second, &wall_s, &device_s))
        return EXIT_FAILURE;
    if (settings->check) {
        if (check(grid, settings, first, &error_max))
            printf("check: passed, largest relative error %.2g\n", error_max);
        else
            exit_code = EXIT_FAILURE;
    }
    if (settings->profile)
        printf("device_s: %.6f\n", device_s);
    printf("checksum: %016llx\ntime_s: %.6f\nmlups: %.2f\n",
           (unsigned long long)sample_checksum(first, count * sizeof *first), wall_s,
           1e-6 * (double)(count / (size_t)grid->cell_floats) * settings->step_count /
               wall_s);
    return exit_code;
}

int sample_grid_main(int argc, char **argv, const struct sample_grid *grid)
{
    struct settings settings = {.step_count = 100};
    int exit_code = EXIT_FAILURE;
    float *first, *second;
    size_t bytes;
    bool help;

    memcpy(settings.size, grid->size, sizeof settings.size);
    if (!parse_settings(argc, argv, grid, &settings, &help))
        return SAMPLE_USAGE;
    if (help)
        return EXIT_SUCCESS;
    if (settings.timeline && !sample_timeline_open(settings.timeline))
        return SAMPLE_USAGE;
    bytes = float_count(grid, settings.size) * sizeof *first;
    first = malloc(bytes);
    second = malloc(bytes);
    if (first && second)
        exit_code = step_and_print(grid, &settings, first, second);
    else
        fputs("out of memory\n", stderr);
    free(first);
    free(second);
    return exit_code;
}
