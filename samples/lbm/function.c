/* SPDX-License-Identifier: MIT */
/* lbm in place: the host's side of function.cl. */
#include "function.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/sample.h"

extern const char lbm_function_text[]; /* function.cl */

enum { TILE = 32 }; /* cells, by hand */

/* Of each of the kernel's directions the number in a cell: pairs of opposite ones, as
 * reference.c has them. */
static const unsigned char in_cell[LBM_DIRECTIONS] = {
    0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9, 11, 14, 12, 13, 15, 18, 16, 17};
/* The step of the first of each pair. */
static const signed char step_of[LBM_DIRECTIONS / 2][3] = {
    {0, 1, 0}, {1, 0, 0},  {0, 0, 1}, {1, 1, 0}, {-1, 1, 0},
    {0, 1, 1}, {0, 1, -1}, {1, 0, 1}, {1, 0, -1}};

bool lbm_function_check(const struct lbm_function_settings *settings)
{
    const int *size = settings->grid.size;

    if (strcmp(settings->form, "cells") != 0 && strcmp(settings->form, "arrays") != 0 &&
        strcmp(settings->form, "tiles") != 0) {
        fprintf(stderr, "--form %s: neither cells nor arrays nor tiles\n",
                settings->form);
        return false;
    }
    if ((double)size[0] * size[1] * size[2] > INT_MAX) {
        fprintf(stderr, "--size: more than %d cells\n", INT_MAX);
        return false;
    }
    return true;
}

/* ---- halves ---- */

static uint16_t half_of(float value)
{
    uint32_t bits, rest, exponent;
    uint16_t sign;

    memcpy(&bits, &value, sizeof bits);
    sign = (uint16_t)(bits >> 16 & 0x8000);
    exponent = bits >> 23 & 0xff;
    /* Too small for the smallest, or too large: none of the first states is. */
    if (exponent < 113 || exponent > 142)
        return exponent < 113 ? sign : sign | 0x7c00;
    rest = bits & 0x1fff;
    bits = (exponent - 112) << 10 | (bits >> 13 & 0x3ff);
    bits += rest > 0x1000 || (rest == 0x1000 && bits & 1);
    return (uint16_t)(sign | bits);
}

static float float_of(uint16_t half)
{
    uint32_t exponent = half >> 10 & 0x1f, bits = half & 0x3ff;
    float value;

    if (!exponent) {
        value = (float)bits / 16777216.0f;
        return half & 0x8000 ? -value : value;
    }
    bits = (uint32_t)(half & 0x8000) << 16 |
           (exponent == 31 ? 0xff : exponent + 112) << 23 | bits << 13;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- states ---- */

static size_t element_of(const struct lbm_function_settings *s, size_t n, size_t i)
{
    size_t cells = lbm_grid_cells(&s->grid);

    return s->form[0] == 'c'   ? n * LBM_DIRECTIONS + i
           : s->form[0] == 'a' ? i * cells + n
                               : n / TILE * (LBM_DIRECTIONS * TILE) + i * TILE + n % TILE;
}

static size_t neighbour_of(const struct lbm_grid *grid, size_t n, const signed char *step)
{
    size_t at[3] = {n % (size_t)grid->size[0],
                    n / (size_t)grid->size[0] % (size_t)grid->size[1],
                    n / (size_t)grid->size[0] / (size_t)grid->size[1]};

    for (int d = 0; d < 3; d++)
        at[d] = (at[d] + (size_t)grid->size[d] + (size_t)(ptrdiff_t)step[d]) %
                (size_t)grid->size[d];
    return at[0] + (size_t)grid->size[0] * (at[1] + (size_t)grid->size[1] * at[2]);
}

static void exchange(const struct lbm_function_settings *s, float *cell, void *elements,
                     size_t at, bool back)
{
    uint16_t *halves = elements;
    float *floats = elements;

    if (s->halves && back)
        *cell = float_of(halves[at]);
    else if (s->halves)
        halves[at] = half_of(*cell);
    else if (back)
        *cell = floats[at];
    else
        floats[at] = *cell;
}

/* A cell stores its value for a direction where the next step, by its parity, will look
 * for it: the first of a pair at the neighbour that it flows to, the second at the cell
 * itself. */
static void arrange(const struct lbm_function_settings *s, float *cells, void *elements,
                    bool is_odd, bool back)
{
    size_t count = lbm_grid_cells(&s->grid);

    for (size_t n = 0; n < count; n++) {
        float *cell = cells + n * LBM_CELL_FLOATS;

        exchange(s, cell, elements, element_of(s, n, 0), back);
        for (size_t i = 1; i < LBM_DIRECTIONS; i += 2) {
            size_t to = neighbour_of(&s->grid, n, step_of[i / 2]);

            exchange(s, cell + in_cell[i], elements,
                     element_of(s, to, is_odd ? i : i + 1), back);
            exchange(s, cell + in_cell[i + 1], elements,
                     element_of(s, n, is_odd ? i + 1 : i), back);
        }
    }
}

/* ---- steps ---- */

static bool prepare_step(cl_kernel kernel, int step, void *user)
{
    cl_ulong *steps = user;

    (void)step;
    return sample_cl_ok(clSetKernelArg(kernel, 2, sizeof *steps, &(*steps)),
                        "clSetKernelArg") &&
           ++*steps;
}

static bool set_arguments(cl_kernel kernel, cl_mem elements, cl_mem flags,
                          const struct lbm_grid *grid)
{
    return sample_cl_ok(clSetKernelArg(kernel, 0, sizeof(cl_mem), &elements),
                        "clSetKernelArg") &&
           sample_cl_ok(clSetKernelArg(kernel, 1, sizeof(cl_mem), &flags),
                        "clSetKernelArg") &&
           sample_cl_ok(clSetKernelArg(kernel, 3, sizeof(cl_float), &grid->omega),
                        "clSetKernelArg") &&
           sample_cl_ok(clSetKernelArg(kernel, 4, sizeof(cl_float), &grid->lid),
                        "clSetKernelArg");
}

/* Runs the steps on the elements, and reads them back. */
static bool run_on(const struct lbm_function_settings *s, void *elements, size_t bytes,
                   const unsigned char *flags, cl_ulong *steps, double *wall_s,
                   double *device_s)
{
    const int *size = s->grid.size;
    size_t group = sample_group_length((size_t)size[0]);
    struct sample_run run = {.work_dim = 3,
                             .global_size = {sample_round_up((size_t)size[0], group),
                                             (size_t)size[1], (size_t)size[2]},
                             .local_size = {group, 1, 1},
                             .step_count = s->step_count,
                             .profile = s->profile,
                             .prepare = prepare_step,
                             .user = steps};
    cl_mem grid = NULL, flag_buffer = NULL;
    struct sample_cl cl;
    char options[256];
    cl_int error;
    bool done = false;

    snprintf(options, sizeof options,
             "-DLBM_FORM=%d -DLBM_BITS=%d -DLBM_TILE=%du -DLBM_X=%du -DLBM_Y=%du "
             "-DLBM_Z=%du",
             s->form[0] == 'c'   ? 0
             : s->form[0] == 'a' ? 1
                                 : 2,
             s->halves ? 16 : 32, TILE, size[0], size[1], size[2]);
    if (!sample_cl_open(s->device, s->profile, &cl) ||
        !sample_cl_build(&cl, s->kernel_file, lbm_function_text, options))
        goto out;
    run.kernel = clCreateKernel(cl.program, "lbm_in_place", &error);
    if (!sample_cl_ok(error, "clCreateKernel"))
        goto out;
    grid = sample_cl_buffer(&cl, bytes, elements);
    flag_buffer = grid ? sample_cl_buffer(&cl, lbm_grid_cells(&s->grid), flags) : NULL;
    done = flag_buffer && set_arguments(run.kernel, grid, flag_buffer, &s->grid) &&
           sample_run_steps(&cl, &run, wall_s, device_s) &&
           sample_cl_ok(clEnqueueReadBuffer(cl.queue, grid, CL_TRUE, 0, bytes, elements,
                                            0, NULL, NULL),
                        "clEnqueueReadBuffer");
out:
    if (grid)
        clReleaseMemObject(grid);
    if (flag_buffer)
        clReleaseMemObject(flag_buffer);
    if (run.kernel)
        clReleaseKernel(run.kernel);
    sample_cl_close(&cl);
    return done;
}

bool lbm_function_run(const struct lbm_function_settings *s, float *cells, int *steps,
                      double *wall_s, double *device_s)
{
    size_t count = lbm_grid_cells(&s->grid);
    size_t bytes = sample_round_up(count, s->form[0] == 't' ? TILE : 1) * LBM_DIRECTIONS *
                   (s->halves ? 2 : 4);
    unsigned char *flags = malloc(count);
    void *elements = calloc(1, bytes);
    cl_ulong done = 0;
    bool good = flags && elements;

    if (!good)
        fputs("out of memory\n", stderr);
    for (size_t n = 0; good && n < count; n++)
        flags[n] = (unsigned char)cells[n * LBM_CELL_FLOATS + LBM_FLAGS];
    if (good) {
        arrange(s, cells, elements, false, false);
        good = run_on(s, elements, bytes, flags, &done, wall_s, device_s);
    }
    if (good)
        arrange(s, cells, elements, done % 2 != 0, true);
    *steps = (int)done;
    free(flags);
    free(elements);
    return good;
}
