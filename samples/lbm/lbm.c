/* SPDX-License-Identifier: MIT */
/* lbm: fluid in a box with a moving lid, on an OpenCL device. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample.h"
#include "lbm/function.h"
#include "lbm/reference.h"
#include "lbm/ring.h"

extern const char lbm_kernel_text[]; /* lbm.cl */

struct settings {
    const char *device, *variant, *kernel_file, *timeline, *probe_by, *devices, *halo,
        *form;
    int step_count, probe_percent; /* 0: no probe */
    bool check, profile, halves;
    struct lbm_grid grid;
};

static bool is_word(const char *word, const char *one, const char *other,
                    const char *third)
{
    return strcmp(word, one) == 0 || strcmp(word, other) == 0 || strcmp(word, third) == 0;
}

static struct lbm_ring_settings ring_settings(const struct settings *settings)
{
    return (struct lbm_ring_settings){.device = settings->device,
                                      .devices = settings->devices,
                                      .halo = settings->halo,
                                      .kernel_file = settings->kernel_file,
                                      .flat = strcmp(settings->variant, "flat") == 0,
                                      .profile = settings->profile,
                                      .step_count = settings->step_count,
                                      .grid = settings->grid};
}

static struct lbm_function_settings function_settings(const struct settings *settings)
{
    return (struct lbm_function_settings){.device = settings->device,
                                          .kernel_file = settings->kernel_file,
                                          .form = settings->form,
                                          .halves = settings->halves,
                                          .profile = settings->profile,
                                          .step_count = settings->step_count,
                                          .grid = settings->grid};
}

/* In place, with nothing that needs two grids. */
static bool check_function_settings(const char *program, const struct settings *settings)
{
    struct lbm_function_settings function = function_settings(settings);
    if (settings->devices || settings->probe_percent || settings->timeline) {
        fprintf(stderr,
                "%s: --variant function: not with --devices, --probe or --timeline\n",
                program);
        return false;
    }
    if (settings->halves && settings->check) {
        fprintf(stderr, "%s: --check: not with --halves, which lose digits\n", program);
        return false;
    }
    return lbm_function_check(&function);
}

static bool check_settings(const char *program, const struct settings *settings)
{
    const int *size = settings->grid.size;
    struct lbm_ring_settings ring = ring_settings(settings);
    int cells_max = INT_MAX;
    if (strcmp(settings->variant, "function") == 0)
        return check_function_settings(program, settings);
    if (settings->halves || strcmp(settings->form, "cells") != 0) {
        fprintf(stderr, "%s: --form, --halves: of --variant function alone\n", program);
        return false;
    }
    if (!is_word(settings->variant, "struct", "flat", "soa")) {
        fprintf(stderr, "%s: --variant %s: none of struct, flat, soa and function\n",
                program, settings->variant);
        return false;
    }
    if (!is_word(settings->probe_by, "read", "map", "map")) {
        fprintf(stderr, "%s: --probe-by %s: neither read nor map\n", program,
                settings->probe_by);
        return false;
    }
    if (settings->probe_percent > 100) {
        fprintf(stderr, "%s: --probe %d: more than all\n", program,
                settings->probe_percent);
        return false;
    }
    if (settings->devices && (settings->probe_percent || settings->timeline ||
                              strcmp(settings->variant, "soa") == 0)) {
        fprintf(stderr, "%s: --devices: not with --probe, --timeline or --variant soa\n",
                program);
        return false;
    }
    /* The kernel counts cells, and in its other forms floats, in an int. */
    if (strcmp(settings->variant, "struct") != 0)
        cells_max /= LBM_CELL_FLOATS;
    if ((double)size[0] * size[1] * size[2] > (double)cells_max) {
        fprintf(stderr, "%s: --size %dx%dx%d: more than %d cells\n", program, size[0],
                size[1], size[2], cells_max);
        return false;
    }
    return !settings->devices || lbm_ring_check(&ring);
}

static bool parse_settings(int argc, char **argv, struct settings *settings, bool *help)
{
    const struct sample_option options[] = {
        {"--device", SAMPLE_TEXT, &settings->device,
         "part of the device's or platform's name"},
        {"--devices", SAMPLE_TEXT, &settings->devices,
         "all, or a number: so many parts of the grid, on all devices of the platform"},
        {"--halo", SAMPLE_TEXT, &settings->halo,
         "how planes travel between devices: overlap (default), while inner planes are "
         "made; copy, from buffer to buffer; or through the host by read, rect or map"},
        {"--size", SAMPLE_SIZE, settings->grid.size, "cells (default 64x64x64)"},
        {"--steps", SAMPLE_COUNT, &settings->step_count, "time steps (default 100)"},
        {"--variant", SAMPLE_TEXT, &settings->variant,
         "struct (default); flat: a float buffer addressed through macros; soa: an "
         "array for each direction; or function: in place, through an index function"},
        {"--form", SAMPLE_TEXT, &settings->form,
         "what that function says: cells one after the other (default), arrays, or tiles "
         "by hand"},
        {"--halves", SAMPLE_FLAG, &settings->halves, "its elements have 16 bits"},
        {"--kernel", SAMPLE_TEXT, &settings->kernel_file,
         "read the kernel from this file instead of the built-in one"},
        {"--probe", SAMPLE_COUNT, &settings->probe_percent,
         "the host looks at so many percent of the cells after each step"},
        {"--probe-by", SAMPLE_TEXT, &settings->probe_by, "read (default) or map"},
        {"--check", SAMPLE_FLAG, &settings->check,
         "compare with a scalar reference on the host (slow; for up to 1000 steps)"},
        {"--profile", SAMPLE_FLAG, &settings->profile,
         "also print device_s, the kernels' own time on the device; with --devices "
         "halo_s, what "
         "the planes between them took"},
        {"--timeline", SAMPLE_TEXT, &settings->timeline,
         "write to this file when each step ended; none goes ahead of them"},
    };
    return sample_options_parse(argc, argv,
                                "Lattice-Boltzmann fluid (D3Q19) in a lidded box.",
                                options, sizeof options / sizeof *options, help) &&
           (*help || check_settings(argv[0], settings));
}

/* The two grids take turns as source and destination. A probe is of cells in the middle
 * of the destination; its checksum is of all that it saw. */
struct simulation {
    cl_mem grids[2];
    size_t probe_offset, probe_bytes;
    bool probe_maps;
    void *probe_cells;
    uint64_t probe_checksum;
};

static bool prepare_step(cl_kernel kernel, int step, void *user)
{
    cl_mem *grids = ((struct simulation *)user)->grids;
    return sample_cl_ok(clSetKernelArg(kernel, 0, sizeof *grids, &grids[step % 2]),
                        "clSetKernelArg") &&
           sample_cl_ok(clSetKernelArg(kernel, 1, sizeof *grids, &grids[(step + 1) % 2]),
                        "clSetKernelArg");
}

static bool probe(struct sample_cl *cl, int step, void *user)
{
    struct simulation *sim = user;
    cl_mem grid = sim->grids[(step + 1) % 2];
    void *cells = sim->probe_cells;
    cl_int error;
    if (sim->probe_maps)
        cells =
            clEnqueueMapBuffer(cl->queue, grid, CL_TRUE, CL_MAP_READ, sim->probe_offset,
                               sim->probe_bytes, 0, NULL, NULL, &error);
    else
        error = clEnqueueReadBuffer(cl->queue, grid, CL_TRUE, sim->probe_offset,
                                    sim->probe_bytes, cells, 0, NULL, NULL);
    if (!sample_cl_ok(error,
                      sim->probe_maps ? "clEnqueueMapBuffer" : "clEnqueueReadBuffer"))
        return false;
    sim->probe_checksum =
        sim->probe_checksum * 3 + sample_checksum(cells, sim->probe_bytes);
    return !sim->probe_maps ||
           sample_cl_ok(clEnqueueUnmapMemObject(cl->queue, grid, cells, 0, NULL, NULL),
                        "clEnqueueUnmapMemObject");
}

/* Room for the probe. False: out of memory. */
static bool prepare_probe(const struct settings *settings, struct simulation *sim)
{
    size_t cell_count = lbm_grid_cells(&settings->grid);
    size_t cell_bytes = LBM_CELL_FLOATS * sizeof(float);
    size_t probed = (cell_count * (size_t)settings->probe_percent + 99) / 100;
    sim->probe_offset = (cell_count - probed) / 2 * cell_bytes;
    sim->probe_bytes = probed * cell_bytes;
    sim->probe_maps = strcmp(settings->probe_by, "map") == 0;
    sim->probe_cells = malloc(sim->probe_bytes);
    if (!sim->probe_cells)
        fputs("out of memory\n", stderr);
    return sim->probe_cells != NULL;
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

/* The state as the kernel has it: cells one after the other, or, `apart`, an array for
 * each of their floats. Back to cells with `back`. False: out of memory. */
static bool arrange(float *cells, size_t cell_count, bool apart, bool back)
{
    float *copy;
    if (!apart)
        return true;
    copy = malloc(cell_count * LBM_CELL_FLOATS * sizeof *copy);
    if (!copy) {
        fputs("out of memory\n", stderr);
        return false;
    }
    memcpy(copy, cells, cell_count * LBM_CELL_FLOATS * sizeof *copy);
    for (size_t f = 0; f < LBM_CELL_FLOATS; f++)
        for (size_t i = 0; i < cell_count; i++)
            if (back)
                cells[i * LBM_CELL_FLOATS + f] = copy[f * cell_count + i];
            else
                cells[f * cell_count + i] = copy[i * LBM_CELL_FLOATS + f];
    free(copy);
    return true;
}

/* Runs the steps and reads the last grid back into `cells`, which held the first
 * state. */
static bool simulate(const struct settings *settings, float *cells, double *wall_s,
                     double *device_s)
{
    bool done = false, apart = strcmp(settings->variant, "soa") == 0;
    const struct lbm_grid *grid = &settings->grid;
    size_t bytes = lbm_grid_cells(grid) * LBM_CELL_FLOATS * sizeof *cells;
    size_t group = sample_group_length((size_t)grid->size[0]);
    cl_int error;
    struct simulation sim = {.probe_checksum = 1};
    cl_mem *grids = sim.grids;
    struct sample_cl cl;
    struct sample_run run = {
        .work_dim = 3,
        .global_size = {sample_round_up((size_t)grid->size[0], group),
                        (size_t)grid->size[1], (size_t)grid->size[2]},
        .local_size = {group, 1, 1},
        .step_count = settings->step_count,
        .profile = settings->profile,
        .prepare = prepare_step,
        .look = settings->probe_percent ? probe : NULL,
        .user = &sim,
    };
    if (run.look && !prepare_probe(settings, &sim))
        return false;
    if (!sample_cl_open(settings->device, settings->profile, &cl) ||
        !sample_cl_build(&cl, settings->kernel_file, lbm_kernel_text,
                         apart                                    ? "-DLBM_SOA"
                         : strcmp(settings->variant, "flat") == 0 ? "-DLBM_FLAT"
                                                                  : ""))
        goto out;
    run.kernel = clCreateKernel(cl.program, "lbm_step", &error);
    if (!sample_cl_ok(error, "clCreateKernel") || !set_constants(run.kernel, grid))
        goto out;
    if (!arrange(cells, lbm_grid_cells(grid), apart, false))
        goto out;
    grids[0] = sample_cl_buffer(&cl, bytes, cells);
    grids[1] = grids[0] ? sample_cl_buffer(&cl, bytes, cells) : NULL;
    if (!grids[1] || !sample_run_steps(&cl, &run, wall_s, device_s))
        goto out;
    done = sample_cl_ok(clEnqueueReadBuffer(cl.queue, grids[settings->step_count % 2],
                                            CL_TRUE, 0, bytes, cells, 0, NULL, NULL),
                        "clEnqueueReadBuffer") &&
           arrange(cells, lbm_grid_cells(grid), apart, true);
    if (run.look)
        printf("probe: %016llx\n", (unsigned long long)sim.probe_checksum);
out:
    free(sim.probe_cells);
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
    int steps; /* from the first state to the last */
    size_t cell_count;
    float *cells = NULL;
    struct lbm_ring_settings ring;
    struct lbm_function_settings function;
    struct settings settings = {
        .variant = "struct",
        .probe_by = "read",
        .halo = "overlap",
        .form = "cells",
        .step_count = 100,
        .grid = {.size = {64, 64, 64}, .omega = 1.2f, .lid = 0.05f},
    };
    if (!parse_settings(argc, argv, &settings, &help))
        return SAMPLE_USAGE;
    if (help)
        return EXIT_SUCCESS;
    if (settings.timeline && !sample_timeline_open(settings.timeline))
        return SAMPLE_USAGE;

    cell_count = lbm_grid_cells(&settings.grid);
    cells = malloc(cell_count * LBM_CELL_FLOATS * sizeof *cells);
    if (!cells) {
        fputs("out of memory\n", stderr);
        goto out;
    }
    if (!settings.devices) /* slabs are filled apart */
        lbm_grid_fill(&settings.grid, cells);
    ring = ring_settings(&settings);
    function = function_settings(&settings);
    steps = settings.step_count;
    if (!(strcmp(settings.variant, "function") == 0
              ? lbm_function_run(&function, cells, &steps, &wall_s, &device_s)
          : settings.devices ? lbm_ring_run(&ring, cells, &wall_s, &device_s)
                             : simulate(&settings, cells, &wall_s, &device_s)))
        goto out;
    exit_code = EXIT_SUCCESS;
    if (settings.check) {
        bool good = lbm_reference_check(&settings.grid, steps, cells, &error_max);
        if (good)
            printf("check: passed, largest relative error %.2g\n", error_max);
        else
            exit_code = EXIT_FAILURE;
    }
    updates = (double)cell_count * settings.step_count;
    if (settings.profile)
        printf("%s: %.6f\n", settings.devices ? "halo_s" : "device_s", device_s);
    printf("checksum: %016llx\ntime_s: %.6f\nmlups: %.2f\n",
           (unsigned long long)sample_checksum(cells, cell_count * LBM_CELL_FLOATS *
                                                          sizeof *cells),
           wall_s, 1e-6 * updates / wall_s);
out:
    free(cells);
    return exit_code;
}
