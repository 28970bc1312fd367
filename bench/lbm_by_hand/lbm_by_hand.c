/* SPDX-License-Identifier: MIT */
/* lbm_by_hand: the lbm sample with its kernel ported to tiles by hand and its grid tiled
 * by the host, to measure what DL makes of the sample against. The same options, first
 * state and checksum as the sample's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample.h"
#include "lbm/reference.h"

extern const char lbm_kernel_text[], lbm_by_hand_kernel_text[];

enum { TILE = 32 }; /* as in the kernel */

/* One grid into the other, between rows of cells and tiles. */
static void tile_cells(float *tiles, float *rows, size_t cell_count, bool to_tiles)
{
    for (size_t i = 0; i < cell_count; i++)
        for (size_t j = 0; j < LBM_CELL_FLOATS; j++) {
            float *tiled =
                &tiles[i / TILE * TILE * LBM_CELL_FLOATS + j * TILE + i % TILE];
            float *row = &rows[i * LBM_CELL_FLOATS + j];

            *(to_tiles ? tiled : row) = *(to_tiles ? row : tiled);
        }
}

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

/* The sample's text for its cell and collisions, the kernel behind it. */
static bool build_kernel(struct sample_cl *cl)
{
    size_t bytes = strlen(lbm_kernel_text) + strlen(lbm_by_hand_kernel_text) + 1;
    char *text = malloc(bytes);
    bool built;

    if (!text)
        return false;
    snprintf(text, bytes, "%s%s", lbm_kernel_text, lbm_by_hand_kernel_text);
    built = sample_cl_build(cl, NULL, text, "-DLBM_FLAT");
    free(text);
    return built;
}

static bool simulate(const char *device, const struct lbm_grid *grid, int step_count,
                     float *tiles, double *device_s)
{
    size_t bytes = lbm_grid_cells(grid) * LBM_CELL_FLOATS * sizeof *tiles;
    size_t group = sample_group_length((size_t)grid->size[0]);
    cl_mem grids[2] = {NULL, NULL};
    struct sample_run run = {
        .work_dim = 3,
        .global_size = {sample_round_up((size_t)grid->size[0], group),
                        (size_t)grid->size[1], (size_t)grid->size[2]},
        .local_size = {group, 1, 1},
        .step_count = step_count,
        .profile = true,
        .prepare = prepare_step,
        .user = grids,
    };
    struct sample_cl cl;
    double wall_s;
    cl_int error;
    bool done = false;

    if (!sample_cl_open(device, true, &cl) || !build_kernel(&cl))
        goto out;
    run.kernel = clCreateKernel(cl.program, "lbm_step_by_hand", &error);
    if (!sample_cl_ok(error, "clCreateKernel") || !set_constants(run.kernel, grid))
        goto out;
    grids[0] = sample_cl_buffer(&cl, bytes, tiles);
    grids[1] = grids[0] ? sample_cl_buffer(&cl, bytes, tiles) : NULL;
    if (!grids[1] || !sample_run_steps(&cl, &run, &wall_s, device_s))
        goto out;
    done = sample_cl_ok(clEnqueueReadBuffer(cl.queue, grids[step_count % 2], CL_TRUE, 0,
                                            bytes, tiles, 0, NULL, NULL),
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
    struct lbm_grid grid = {.size = {64, 64, 64}, .omega = 1.2f, .lid = 0.05f};
    const char *device = NULL;
    float *rows = NULL, *tiles = NULL;
    int step_count = 100, exit_code = EXIT_FAILURE;
    size_t cell_count;
    double device_s;
    bool help;
    const struct sample_option options[] = {
        {"--device", SAMPLE_TEXT, &device, "part of the device's or platform's name"},
        {"--size", SAMPLE_SIZE, grid.size, "cells, a multiple of 32 in all (64x64x64)"},
        {"--steps", SAMPLE_COUNT, &step_count, "time steps (100)"},
    };

    if (!sample_options_parse(argc, argv, "The lbm sample, ported to tiles by hand.",
                              options, sizeof options / sizeof *options, &help))
        return SAMPLE_USAGE;
    if (help)
        return EXIT_SUCCESS;
    cell_count = lbm_grid_cells(&grid);
    if (cell_count % TILE) {
        fprintf(stderr, "%s: --size: not whole tiles of %d cells\n", argv[0], TILE);
        return SAMPLE_USAGE;
    }
    rows = malloc(cell_count * LBM_CELL_FLOATS * sizeof *rows);
    tiles = malloc(cell_count * LBM_CELL_FLOATS * sizeof *tiles);
    if (!rows || !tiles) {
        fputs("out of memory\n", stderr);
        goto out;
    }
    lbm_grid_fill(&grid, rows);
    tile_cells(tiles, rows, cell_count, true);
    if (!simulate(device, &grid, step_count, tiles, &device_s))
        goto out;
    tile_cells(tiles, rows, cell_count, false);
    printf("device_s: %.6f\nchecksum: %016llx\n", device_s,
           (unsigned long long)sample_checksum(rows, cell_count * LBM_CELL_FLOATS *
                                                         sizeof *rows));
    exit_code = EXIT_SUCCESS;
out:
    free(tiles);
    free(rows);
    return exit_code;
}
