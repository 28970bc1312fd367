/* SPDX-License-Identifier: MIT */
/* Runs, and their chain of events on a queue. */
#include "run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- a run ---- */

void dl__run_add(struct dl__run *run, enum dl__arg_kind kind, const void *value,
                 size_t bytes)
{
    size_t at = (run->value_bytes + 15u) / 16 * 16;

    assert(run->arg_count < DL__RUN_ARGS_MAX);
    run->args[run->arg_count].kind = kind;
    run->args[run->arg_count].bytes = (uint32_t)bytes;
    if (value) {
        assert(at + bytes <= DL__RUN_VALUE_BYTES);
        memcpy(run->values + at, value, bytes);
        run->args[run->arg_count].at = (uint32_t)at;
        run->value_bytes = (uint32_t)(at + bytes);
    }
    run->arg_count++;
}

static cl_ulong base_of(const struct dl__run *run, cl_uint n)
{
    cl_ulong base;

    memcpy(&base, dl__run_value(run, n), sizeof base);
    return base;
}

void dl__run_shift(struct dl__run *run, uint64_t bytes)
{
    for (cl_uint a = 0; a < run->arg_count; a++) {
        cl_ulong base;
        if (run->args[a].kind != DL__ARG_BASE)
            continue;
        base = base_of(run, a) + bytes;
        memcpy(run->values + run->args[a].at, &base, sizeof base);
    }
}

static cl_int enqueue_call(const struct dl__engine *engine, cl_command_queue queue,
                           const struct dl__run *run, const struct dl__run_place *place,
                           const struct dl__device_order *order)
{
    struct dl__host_call args = {.room = malloc(run->room_bytes)};
    const struct dl__device_call call = {.function = run->host,
                                         .args = &args,
                                         .bytes = sizeof args,
                                         .mem = place->mem,
                                         .place = &args.mem};
    cl_int err = CL_OUT_OF_HOST_MEMORY;

    memcpy(args.values, run->values, run->value_bytes);
    if (args.room)
        err = engine->ops->call(engine->device, queue, &call, order);
    if (err != CL_SUCCESS)
        free(args.room);
    return err;
}

cl_int dl__run_enqueue(const struct dl__engine *engine, cl_command_queue queue,
                       const struct dl__run *run, const struct dl__run_place *place,
                       const struct dl__device_order *order)
{
    struct dl__device_arg args[DL__RUN_ARGS_MAX];
    cl_ulong base = 0;
    const struct dl__device_launch launch = {
        run->kernel, run->arg_count, run->dims,
        args,        run->global,    run->local[0] ? run->local : NULL};

    if (run->host)
        return enqueue_call(engine, queue, run, place, order);
    for (cl_uint a = 0; a < run->arg_count; a++) {
        args[a].bytes = run->args[a].bytes;
        switch (run->args[a].kind) {
        case DL__ARG_VALUE:
            args[a].value = dl__run_value(run, a);
            break;
        case DL__ARG_BUFFER:
            args[a].value = &place->mem;
            break;
        case DL__ARG_BASE:
            base = base_of(run, a) + place->base_bytes;
            args[a].value = &base;
            break;
        case DL__ARG_WORKSPACE:
            args[a].value = &place->workspace;
            break;
        case DL__ARG_LOCAL:
            args[a].value = NULL;
            break;
        }
    }
    return engine->ops->launch(engine->device, queue, &launch, order);
}

/* ---- a list ---- */

enum dl_status dl__run_list_add(struct dl__run_list *list, const struct dl__run *run,
                                uint64_t workspace_bytes)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 8;
        struct dl__run *runs = realloc(list->runs, capacity * sizeof *runs);
        if (!runs)
            return DL_ENOMEM;
        list->runs = runs;
        list->capacity = capacity;
    }
    list->runs[list->count++] = *run;
    if (workspace_bytes > list->workspace_bytes)
        list->workspace_bytes = workspace_bytes;
    return DL_OK;
}

/* ---- a chain ---- */

void dl__run_chain_follow(struct dl__run_chain *chain, cl_event event)
{
    if (event) {
        if (chain->last)
            chain->engine->ops->event_release(chain->engine->device, chain->last);
        chain->last = event;
    }
    chain->wait_count = chain->is_in_order ? 0 : 1;
    chain->wait = chain->is_in_order ? NULL : &chain->last;
}

cl_int dl__run_chain_run(struct dl__run_chain *chain, const struct dl__run *run,
                         const struct dl__run_place *place, bool is_last)
{
    const struct dl__engine *engine = chain->engine;
    bool is_first = chain->wants_first && chain->done == 0;
    bool wants_event = !chain->is_in_order || is_first || chain->wants_each ||
                       (is_last && chain->wants_last);
    cl_event event = NULL;
    const struct dl__device_order order = {chain->wait_count, chain->wait,
                                           wants_event ? &event : NULL};
    cl_int err = CL_SUCCESS;

    for (unsigned tries = 0; tries < chain->tries; tries++) {
        err = dl__run_enqueue(engine, chain->queue, run, place, &order);
        if (err == CL_SUCCESS)
            break;
    }
    if (err != CL_SUCCESS)
        return err;
    if (is_first && event && engine->ops->event_retain(engine->device, event))
        chain->first = event;
    dl__run_chain_follow(chain, event);
    chain->done++;
    return CL_SUCCESS;
}

void dl__run_chain_end(struct dl__run_chain *chain, cl_event *first, cl_event *last)
{
    const struct dl__engine *engine = chain->engine;

    if (first)
        *first = chain->first;
    else if (chain->first)
        engine->ops->event_release(engine->device, chain->first);
    if (last)
        *last = chain->last;
    else if (chain->last)
        engine->ops->event_release(engine->device, chain->last);
}

cl_int dl__engine_mark(const struct dl__engine *engine, cl_command_queue queue,
                       cl_uint wait_count, const cl_event *wait, cl_event *first,
                       cl_event *last)
{
    cl_event marker;
    const struct dl__device_order order = {wait_count, wait, &marker};
    cl_int err;

    if (!first && !last)
        return CL_SUCCESS;
    err = engine->ops->mark(engine->device, queue, &order);
    if (err != CL_SUCCESS)
        return err;
    if (first)
        *first =
            !last || engine->ops->event_retain(engine->device, marker) ? marker : NULL;
    if (last)
        *last = marker;
    return CL_SUCCESS;
}
