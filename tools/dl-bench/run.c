/* SPDX-License-Identifier: MIT */
/* Runs one case with one set of knobs: prepared, checked, timed. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* Each launch alone, median of `reps`; the buffer's contents are lost. */
static void launches_time(struct device *device, struct dl_marshal *marshal,
                          const struct dl_conversion *conversion, cl_mem mem, int reps,
                          struct case_result *result)
{
    const struct dl__run_list *list = &conversion->list;
    struct dl__workspace *workspace = NULL;
    double seconds[64];

    if (list->workspace_bytes > 0 &&
        dl__workspace_take(&marshal->engine, list->workspace_bytes, &workspace) != DL_OK)
        return;
    const struct dl__run_place place = {mem, workspace ? workspace->mem : NULL, 0};
    for (size_t l = 0; l < list->count && l < 16; l++) {
        for (int r = 0; r < reps; r++) {
            cl_event event;
            const struct dl__device_order order = {0, NULL, &event};
            if (dl__run_enqueue(&marshal->engine, device->queue, &list->runs[l], &place,
                                &order) != CL_SUCCESS)
                return;
            clRetainEvent(event);
            seconds[r] = device_seconds(event, event);
        }
        result->launch_s[l] = median_of(seconds, (size_t)reps);
        result->launch_names[l] = list->runs[l].name;
        result->launches = l + 1;
    }
    if (workspace)
        dl__workspace_give(&marshal->engine, workspace, NULL);
}

/* There, and back where the way back is the case. The input is AoS. */
static enum dl_status case_check(struct device *device, struct dl_marshal *marshal,
                                 const struct bench_case *bench,
                                 const struct dl_conversion *conversion, cl_mem mem,
                                 cl_uint *errors)
{
    uint64_t bytes = bench->structs * bench->table.struct_bytes;
    const struct dl_layout as_aos = {DL_LAYOUT_AOS, 0};
    const struct dl_conversion *there = NULL;
    struct dl_tiling from, to;
    struct dl_rest *rest;
    enum dl_status st = DL_OK;

    dl_layout_tile(bench->from, bench->structs, &from);
    dl_layout_tile(bench->to, bench->structs, &to);
    device_fill(device, mem, bytes + 3);
    if (bench->from.kind != DL_LAYOUT_AOS) {
        st = dl_marshal_prepare(marshal, &bench->table, bench->structs, as_aos,
                                bench->from, &there);
        if (st == DL_OK)
            st = dl_marshal_enqueue(marshal, device->queue, there, mem, 0, NULL, NULL,
                                    NULL, &rest);
        /* The way there must be right by itself, or both could be the identity. */
        if (st == DL_OK &&
            device_check(device, mem, &bench->table, &from, errors) != CL_SUCCESS)
            st = DL_ECL;
    }
    if (st == DL_OK && *errors == 0)
        st = dl_marshal_enqueue(marshal, device->queue, conversion, mem, 0, NULL, NULL,
                                NULL, &rest);
    if (st == DL_OK && *errors == 0 &&
        device_check(device, mem, &bench->table, &to, errors) != CL_SUCCESS)
        st = DL_ECL;
    return st;
}

/* Wide structs: the tile that DL would choose. */
static void tile_fit(const struct dl_marshal *marshal, struct bench_case *bench)
{
    struct dl_layout *layouts[] = {&bench->from, &bench->to};

    for (int l = 0; l < 2; l++) {
        uint32_t fits = dl_marshal_tile(marshal, &bench->table, layouts[l]->tile_structs);
        if (layouts[l]->kind == DL_LAYOUT_ASTA && fits > 0)
            layouts[l]->tile_structs = fits;
    }
}

struct case_result case_run(struct device *device, struct bench_case *bench,
                            size_t variant, cl_mem mem, const struct options *options)
{
    struct case_result result = {0};
    struct dl_marshal *marshal = NULL;
    const struct dl_conversion *conversion;
    uint64_t bytes = bench->structs * bench->table.struct_bytes;
    int reps = atoi(options->reps);
    double seconds[64], start = now_s();
    char label[256];
    struct dl_rest *rest;

    if (strcmp(bench->group, "access") == 0)
        return access_run(device, bench, mem, options);
    reps = reps < 1 ? 1 : reps > 64 ? 64 : reps;
    result.status = dl_marshal_make(&device->cl, device->context, device->id, &marshal);
    if (result.status != DL_OK)
        return result;
    if (*options
             ->knobs) { /* as given, and what its tables say instead is not asked for */
        marshal->engine.file =
            dl__device_file_named(marshal->engine.limits.is_cpu ? "cpu" : "gpu");
        dl__steps_open(&marshal->steps, &marshal->engine);
    }
    knobs_parse(options->knobs, variant, knob_set_steps, &marshal->steps, ' ', label,
                sizeof label);
    if (bench->family)
        DL__STEPS_SET(&marshal->steps, family, bench->family);
    if (strcmp(bench->group, "wide") == 0)
        tile_fit(marshal, bench);
    result.status = dl_marshal_prepare(marshal, &bench->table, bench->structs,
                                       bench->from, bench->to, &conversion);
    if (result.status != DL_OK)
        goto out;
    result.prepare_s = now_s() - start;
    result.workspace_bytes = dl_conversion_workspace_bytes(conversion);
    if (strcmp(options->check, "no") != 0) {
        result.status =
            case_check(device, marshal, bench, conversion, mem, &result.errors);
        if (result.status != DL_OK)
            goto out;
    }
    for (int r = -1; r < reps; r++) {
        cl_event first, done;
        result.status = dl_marshal_enqueue(marshal, device->queue, conversion, mem, 0,
                                           NULL, &first, &done, &rest);
        if (result.status != DL_OK)
            goto out;
        seconds[r < 0 ? 0 : r] = device_seconds(first, done);
    }
    result.bytes_per_s = 2.0 * (double)bytes / median_of(seconds, (size_t)reps);
    if (strcmp(options->steps, "yes") == 0)
        launches_time(device, marshal, conversion, mem, reps, &result);
out:
    dl_marshal_free(marshal);
    return result;
}
