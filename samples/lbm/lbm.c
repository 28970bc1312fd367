/* lbm: fluid in a box with a moving lid, on an OpenCL device. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample.h"
#include "lbm/reference.h"

extern const char lbm_kernel_text[]; /* lbm.cl */

struct settings {
    const char *device, *variant, *kernel_file;
    int step_count;
    bool check, profile;
    struct lbm_grid grid;
};

static bool parse_settings(int argc, char **argv, struct settings *settings, bool *help)
{
    const struct sample_option options[] = {
        {"--device", SAMPLE_TEXT, &settings->device,
         "part of the device's or platform's name"},
        {"--size", SAMPLE_SIZE, settings->grid.size, "cells (default 64x64x64)"},
        {"--steps", SAMPLE_COUNT, &settings->step_count, "time steps (default 100)"},
        {"--variant", SAMPLE_TEXT, &settings->variant,
         "struct (default), or flat: a float buffer addressed through macros"},
        {"--kernel", SAMPLE_TEXT, &settings->kernel_file,
         "read the kernel from this file instead of the built-in one"},
        {"--check", SAMPLE_FLAG, &settings->check,
         "compare with a scalar reference on the host (slow; for up to 1000 steps)"},
        {"--profile", SAMPLE_FLAG, &settings->profile,
         "also print device_s, the kernels' own time on the device"},
    };
    const int *size = settings->grid.size;
    if (!sample_options_parse(argc, argv,
                              "Lattice-Boltzmann fluid (D3Q19) in a lidded box.", options,
                              sizeof options / sizeof *options, help))
        return false;
    if (strcmp(settings->variant, "struct") != 0 &&
        strcmp(settings->variant, "flat") != 0) {
        fprintf(stderr, "%s: --variant %s: neither struct nor flat\n", argv[0],
                settings->variant);
        return false;
    }
    /* The kernel counts cells, and in its flat form floats, in an int. */
    if ((double)size[0] * size[1] * size[2] * LBM_CELL_FLOATS > (double)INT_MAX) {
        fprintf(stderr, "%s: --size %dx%dx%d: more than %d cells\n", argv[0], size[0],
                size[1], size[2], INT_MAX / LBM_CELL_FLOATS);
        return false;
    }
    return true;
}

/* The two grids take turns as source and destination. */
static bool prepare_step(cl_kernel kernel, int step, void *user)
{
    cl_mem *grids = user;
    return sample_cl_ok(clSetKernelArg(kernel, 0, sizeof *grids, &grids[step % 2]),
                        "clSetKernelArg") &&
           sample_cl_ok(clSetKernelArg(kernel, 1, sizeof *grids, &grids[(step + 1) % 2]),
                        "clSetKernelArg");
}

static bool set_constants(cl_kernel kernel, const struct lbm_grid *grid)
{
    cl_int error = CL_SUCCESS;
    for (cl_uint d = 0; d < 3 && error == CL_SUCCESS; d++)
        error = clSetKernelArg(kernel, 2 + d, sizeof(cl_int), &grid->size[d]);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(kernel, 5, sizeof(cl_float), &grid->omega);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(kernel, 6, sizeof(cl_float), &grid->lid);
    return sample_cl_ok(error, "clSetKernelArg");
}

/* Runs the steps and reads the last grid back into `cells`, which held the first state.
 */
static bool simulate(const struct settings *settings, float *cells, double *wall_s,
                     double *device_s)
{
    bool done = false;
    const struct lbm_grid *grid = &settings->grid;
    size_t bytes = lbm_grid_cells(grid) * LBM_CELL_FLOATS * sizeof *cells;
    size_t group = sample_group_length((size_t)grid->size[0]);
    cl_int error;
    cl_mem grids[2] = {NULL, NULL};
    struct sample_cl cl;
    struct sample_run run = {
        .work_dim = 3,
        .global_size = {sample_round_up((size_t)grid->size[0], group),
                        (size_t)grid->size[1], (size_t)grid->size[2]},
        .local_size = {group, 1, 1},
        .step_count = settings->step_count,
        .profile = settings->profile,
        .prepare = prepare_step,
        .user = grids,
    };
    if (!sample_cl_open(settings->device, settings->profile, &cl) ||
        !sample_cl_build(&cl, settings->kernel_file, lbm_kernel_text,
                         strcmp(settings->variant, "flat") == 0 ? "-DLBM_FLAT" : ""))
        goto out;
    run.kernel = clCreateKernel(cl.program, "lbm_step", &error);
    if (!sample_cl_ok(error, "clCreateKernel") || !set_constants(run.kernel, grid))
        goto out;
    grids[0] = sample_cl_buffer(&cl, bytes, cells);
    grids[1] = grids[0] ? sample_cl_buffer(&cl, bytes, cells) : NULL;
    if (!grids[1] || !sample_run_steps(&cl, &run, wall_s, device_s))
        goto out;
    done = sample_cl_ok(clEnqueueReadBuffer(cl.queue, grids[settings->step_count % 2],
                                            CL_TRUE, 0, bytes, cells, 0, NULL, NULL),
                        "clEnqueueReadBuffer");
out:
    for (int i = 0; i < 2; i++)
        if (grids[i])
            clReleaseMemObject(grids[i]);
    if (run.kernel)
        clReleaseKernel(run.kernel);
    sample_cl_close(&cl);
    return done;
}

int main(int argc, char **argv)
{
    int exit_code = EXIT_FAILURE;
    bool help;
    double wall_s, device_s, error_max, updates;
    size_t cell_count;
    float *cells = NULL;
    struct settings settings = {
        .variant = "struct",
        .step_count = 100,
        .grid = {.size = {64, 64, 64}, .omega = 1.2f, .lid = 0.05f},
    };
    if (!parse_settings(argc, argv, &settings, &help))
        return SAMPLE_USAGE;
    if (help)
        return EXIT_SUCCESS;

    cell_count = lbm_grid_cells(&settings.grid);
    cells = malloc(cell_count * LBM_CELL_FLOATS * sizeof *cells);
    if (!cells) {
        fputs("out of memory\n", stderr);
        goto out;
    }
    lbm_grid_fill(&settings.grid, cells);
    if (!simulate(&settings, cells, &wall_s, &device_s))
        goto out;
    exit_code = EXIT_SUCCESS;
    if (settings.check) {
        bool good =
            lbm_reference_check(&settings.grid, settings.step_count, cells, &error_max);
        if (good)
            printf("check: passed, largest relative error %.2g\n", error_max);
        else
            exit_code = EXIT_FAILURE;
    }
    updates = (double)cell_count * settings.step_count;
    if (settings.profile)
        printf("device_s: %.6f\n", device_s);
    printf("checksum: %016llx\ntime_s: %.6f\nmlups: %.2f\n",
           (unsigned long long)sample_checksum(cells, cell_count * LBM_CELL_FLOATS *
                                                          sizeof *cells),
           wall_s, 1e-6 * updates / wall_s);
out:
    free(cells);
    return exit_code;
}
