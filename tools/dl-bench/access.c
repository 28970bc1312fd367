/* SPDX-License-Identifier: MIT */
/* How fast a kernel reads every word of its struct, by layout: what marshaling is for
 * (Sung 2013, figure 3.7 in kind). The sums are checked. */
#include <stdlib.h>

#include "bench.h"

/* The arguments that stay: all but the last. */
static void args_set(const struct device *device, cl_kernel kernel, cl_mem mem,
                     cl_uint words, const struct dl_tiling *tiling)
{
    const cl_ulong numbers[] = {tiling->tile_structs, tiling->head_structs,
                                tiling->tail_structs};

    clSetKernelArg(kernel, 0, sizeof mem, &mem);
    clSetKernelArg(kernel, 1, sizeof words, &words);
    for (cl_uint n = 0; n < 3; n++)
        clSetKernelArg(kernel, 2 + n, sizeof numbers[n], &numbers[n]);
    clSetKernelArg(kernel, 5, sizeof device->errors, &device->errors);
}

struct case_result access_run(struct device *device, const struct bench_case *bench,
                              cl_mem mem, const struct options *options)
{
    struct case_result result = {.status = DL_ECL};
    const struct dl_conversion *there;
    struct dl_marshal *marshal = NULL;
    struct dl_layout aos = {DL_LAYOUT_AOS, 0};
    struct dl_tiling tiling;
    cl_uint words = bench->table.struct_bytes / 4, zero = 0;
    uint64_t bytes = bench->structs * bench->table.struct_bytes;
    int reps = atoi(options->reps);
    double seconds[64];
    size_t global = bench->structs / 256 * 256, local = 256;
    struct dl_rest *rest;
    cl_int err;
    cl_kernel kernel = clCreateKernel(device->program, "access", &err);

    reps = reps < 1 ? 1 : reps > 64 ? 64 : reps;
    if (err != CL_SUCCESS)
        return result;
    result.status = dl_marshal_make(&device->cl, device->context, device->id, &marshal);
    if (result.status == DL_OK)
        result.status = dl_marshal_prepare(marshal, &bench->table, bench->structs, aos,
                                           bench->from, &there);
    device_fill(device, mem, bytes);
    if (result.status == DL_OK)
        result.status = dl_marshal_enqueue(marshal, device->queue, there, mem, 0, NULL,
                                           NULL, NULL, &rest);
    if (result.status != DL_OK)
        goto out;
    dl_layout_tile(bench->from, bench->structs, &tiling);
    args_set(device, kernel, mem, words, &tiling);
    clEnqueueWriteBuffer(device->queue, device->errors, CL_TRUE, 0, 4, &zero, 0, NULL,
                         NULL);
    for (int r = -1; r < reps; r++) {
        /* Work-items add up what they read; the first run compares with what the formula
         * says. */
        cl_uint check = r < 0;
        cl_event event;
        clSetKernelArg(kernel, 6, sizeof check, &check);
        err = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &global, &local, 0,
                                     NULL, &event);
        if (err != CL_SUCCESS) {
            result.status = DL_ECL;
            goto out;
        }
        clRetainEvent(event);
        seconds[r < 0 ? 0 : r] = device_seconds(event, event);
    }
    clEnqueueReadBuffer(device->queue, device->errors, CL_TRUE, 0, 4, &result.errors, 0,
                        NULL, NULL);
    result.bytes_per_s =
        (double)global * bench->table.struct_bytes / median_of(seconds, (size_t)reps);
out:
    dl_marshal_free(marshal);
    clReleaseKernel(kernel);
    return result;
}
