/* SPDX-License-Identifier: MIT */
/* Slabs: their cut, their kernel, and their planes on the way to neighbours. */
#include "lbm/slab.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char lbm_kernel_text[]; /* lbm.cl */

static const char *const halo_words[] = {"read", "rect", "map"};

bool lbm_halo_find(const char *word, enum lbm_halo *out)
{
    for (size_t i = 0; i < sizeof halo_words / sizeof *halo_words; i++) {
        if (strcmp(word, halo_words[i]) == 0) {
            *out = (enum lbm_halo)i;
            return true;
        }
    }
    return false;
}

cl_program lbm_slab_program(cl_context context, const cl_device_id *devices,
                            cl_uint device_count, const char *kernel_file, bool flat)
{
    struct sample_cl cl = {.device = devices[0], .context = context};
    /* sample_cl_build reads, builds for one and has the log; the others come after it. */
    const char *options = flat ? "-DLBM_FLAT" : "";
    if (!sample_cl_build(&cl, kernel_file, lbm_kernel_text, options) ||
        (device_count > 1 && !sample_cl_ok(clBuildProgram(cl.program, device_count,
                                                          devices, options, NULL, NULL),
                                           "clBuildProgram"))) {
        if (cl.program)
            clReleaseProgram(cl.program);
        return NULL;
    }
    return cl.program;
}

/* ---- making one ---- */

static size_t slab_bytes(const struct lbm_slab *slab)
{
    return slab->plane_bytes * (size_t)(slab->planes + 2);
}

static bool fill(struct lbm_slab *slab)
{
    const int planes = slab->whole.size[2];
    float *cells = malloc(slab_bytes(slab));
    bool filled = cells != NULL;
    if (!cells)
        fputs("out of memory\n", stderr);
    for (int z = 0; filled && z < slab->planes + 2; z++)
        lbm_grid_fill_plane(&slab->whole, (slab->first + z - 1 + planes) % planes,
                            cells + (size_t)z * (slab->plane_bytes / sizeof *cells));
    for (int g = 0; filled && g < 2; g++)
        filled =
            sample_cl_ok(clEnqueueWriteBuffer(slab->queue, slab->grids[g], CL_TRUE, 0,
                                              slab_bytes(slab), cells, 0, NULL, NULL),
                         "clEnqueueWriteBuffer");
    free(cells);
    return filled;
}

static bool set_constants(const struct lbm_slab *slab)
{
    const cl_int sizes[3] = {slab->whole.size[0], slab->whole.size[1], slab->planes + 2};
    cl_int error = CL_SUCCESS;
    for (cl_uint d = 0; d < 3 && error == CL_SUCCESS; d++)
        error = clSetKernelArg(slab->kernel, 2 + d, sizeof(cl_int), &sizes[d]);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(slab->kernel, 5, sizeof(cl_float), &slab->whole.omega);
    if (error == CL_SUCCESS)
        error = clSetKernelArg(slab->kernel, 6, sizeof(cl_float), &slab->whole.lid);
    return sample_cl_ok(error, "clSetKernelArg");
}

bool lbm_slab_make(cl_context context, cl_device_id device, cl_program program,
                   const struct lbm_grid *whole, int parts, int part,
                   struct lbm_slab *out)
{
    const long long planes = whole->size[2];
    cl_int error;
    *out = (struct lbm_slab){.whole = *whole};
    out->first = (int)(planes * part / parts);
    out->planes = (int)(planes * (part + 1) / parts) - out->first;
    out->row_bytes = (size_t)whole->size[0] * LBM_CELL_FLOATS * sizeof(float);
    out->plane_bytes = (size_t)whole->size[1] * out->row_bytes;
    out->queue = clCreateCommandQueue(context, device, 0, &error);
    if (!sample_cl_ok(error, "clCreateCommandQueue"))
        return false;
    out->kernel = clCreateKernel(program, "lbm_step", &error);
    if (!sample_cl_ok(error, "clCreateKernel") || !set_constants(out))
        return false;
    for (int g = 0; g < 2; g++) {
        out->grids[g] =
            clCreateBuffer(context, CL_MEM_READ_WRITE, slab_bytes(out), NULL, &error);
        if (!sample_cl_ok(error, "clCreateBuffer"))
            return false;
    }
    return fill(out);
}

void lbm_slab_end(struct lbm_slab *slab)
{
    if (slab->queue)
        clFinish(slab->queue);
    for (int g = 0; g < 2; g++)
        if (slab->grids[g])
            clReleaseMemObject(slab->grids[g]);
    if (slab->kernel)
        clReleaseKernel(slab->kernel);
    if (slab->queue)
        clReleaseCommandQueue(slab->queue);
    memset(slab, 0, sizeof *slab);
}

/* ---- steps ---- */

cl_mem lbm_slab_made(const struct lbm_slab *slab, int step)
{
    return slab->grids[(step + 1) % 2];
}

size_t lbm_slab_edge(const struct lbm_slab *slab, enum lbm_side side)
{
    return slab->plane_bytes * (size_t)(side == LBM_BELOW ? 1 : slab->planes);
}

size_t lbm_slab_beyond(const struct lbm_slab *slab, enum lbm_side side)
{
    return side == LBM_BELOW ? 0 : slab->plane_bytes * (size_t)(slab->planes + 1);
}

bool lbm_slab_step_planes(const struct lbm_slab *slab, int step, int first, int planes)
{
    const size_t length = (size_t)slab->whole.size[0];
    const size_t group[3] = {sample_group_length(length), 1, 1};
    const size_t offset[3] = {0, 0, (size_t)first};
    const size_t global[3] = {sample_round_up(length, group[0]),
                              (size_t)slab->whole.size[1], (size_t)planes};
    const cl_mem made = lbm_slab_made(slab, step);
    return sample_cl_ok(
               clSetKernelArg(slab->kernel, 0, sizeof made, &slab->grids[step % 2]),
               "clSetKernelArg") &&
           sample_cl_ok(clSetKernelArg(slab->kernel, 1, sizeof made, &made),
                        "clSetKernelArg") &&
           sample_cl_ok(clEnqueueNDRangeKernel(slab->queue, slab->kernel, 3, offset,
                                               global, group, 0, NULL, NULL),
                        "clEnqueueNDRangeKernel");
}

bool lbm_slab_step(const struct lbm_slab *slab, int step)
{
    return lbm_slab_step_planes(slab, step, 1, slab->planes) &&
           sample_cl_ok(clFlush(slab->queue), "clFlush");
}

/* ---- planes ---- */

static bool move_rect(const struct lbm_slab *slab, cl_mem grid, size_t offset, void *to,
                      const void *from)
{
    const size_t at[3] = {0, 0, offset / slab->plane_bytes}, zero[3] = {0, 0, 0};
    const size_t region[3] = {slab->row_bytes, (size_t)slab->whole.size[1], 1};
    if (to)
        return sample_cl_ok(clEnqueueReadBufferRect(slab->queue, grid, CL_TRUE, at, zero,
                                                    region, slab->row_bytes,
                                                    slab->plane_bytes, slab->row_bytes, 0,
                                                    to, 0, NULL, NULL),
                            "clEnqueueReadBufferRect");
    return sample_cl_ok(clEnqueueWriteBufferRect(
                            slab->queue, grid, CL_TRUE, at, zero, region, slab->row_bytes,
                            slab->plane_bytes, slab->row_bytes, 0, from, 0, NULL, NULL),
                        "clEnqueueWriteBufferRect");
}

static bool move_mapped(const struct lbm_slab *slab, cl_mem grid, size_t offset, void *to,
                        const void *from)
{
    cl_int error;
    void *mapped = clEnqueueMapBuffer(slab->queue, grid, CL_TRUE,
                                      to ? CL_MAP_READ : CL_MAP_WRITE_INVALIDATE_REGION,
                                      offset, slab->plane_bytes, 0, NULL, NULL, &error);
    if (!sample_cl_ok(error, "clEnqueueMapBuffer"))
        return false;
    memcpy(to ? to : mapped, to ? mapped : from, slab->plane_bytes);
    return sample_cl_ok(clEnqueueUnmapMemObject(slab->queue, grid, mapped, 0, NULL, NULL),
                        "clEnqueueUnmapMemObject");
}

bool lbm_slab_get(const struct lbm_slab *slab, int step, enum lbm_side side,
                  enum lbm_halo halo, void *plane)
{
    const size_t offset = lbm_slab_edge(slab, side);
    cl_mem grid = lbm_slab_made(slab, step);
    if (halo == LBM_HALO_RECT)
        return move_rect(slab, grid, offset, plane, NULL);
    if (halo == LBM_HALO_MAP)
        return move_mapped(slab, grid, offset, plane, NULL);
    return sample_cl_ok(clEnqueueReadBuffer(slab->queue, grid, CL_TRUE, offset,
                                            slab->plane_bytes, plane, 0, NULL, NULL),
                        "clEnqueueReadBuffer");
}

bool lbm_slab_put(const struct lbm_slab *slab, int step, enum lbm_side side,
                  enum lbm_halo halo, const void *plane)
{
    const size_t offset = lbm_slab_beyond(slab, side);
    cl_mem grid = lbm_slab_made(slab, step);
    if (halo == LBM_HALO_RECT)
        return move_rect(slab, grid, offset, NULL, plane);
    if (halo == LBM_HALO_MAP)
        return move_mapped(slab, grid, offset, NULL, plane);
    return sample_cl_ok(clEnqueueWriteBuffer(slab->queue, grid, CL_TRUE, offset,
                                             slab->plane_bytes, plane, 0, NULL, NULL),
                        "clEnqueueWriteBuffer");
}

bool lbm_slab_read(const struct lbm_slab *slab, int step_count, void *cells)
{
    return sample_cl_ok(clEnqueueReadBuffer(slab->queue, slab->grids[step_count % 2],
                                            CL_TRUE, slab->plane_bytes,
                                            slab->plane_bytes * (size_t)slab->planes,
                                            cells, 0, NULL, NULL),
                        "clEnqueueReadBuffer");
}
