/* SPDX-License-Identifier: MIT */
/* The marshaling kernels of one device: conversions prepared at need, kept, and enqueued
 * in a chain on the caller's queue. */
#include "algorithm.h"

#include <stdlib.h>

#include "internal.h"

enum dl_status dl_marshal_make(const cl_icd_dispatch *cl, cl_context context,
                               cl_device_id device, struct dl_marshal **out)
{
    struct dl_marshal *marshal = calloc(1, sizeof *marshal);
    enum dl_status st;

    if (!marshal)
        return DL_ENOMEM;
    marshal->opencl = (struct dl__opencl){.cl = cl, .context = context, .device = device};
    st = dl__engine_open(&marshal->engine, &dl__opencl_ops, &marshal->opencl);
    if (st != DL_OK) {
        free(marshal);
        return st;
    }
    dl__steps_open(&marshal->steps, &marshal->engine);
    *out = marshal;
    return DL_OK;
}

void dl_marshal_use_binaries(struct dl_marshal *marshal,
                             const struct dl__binaries *binaries)
{
    marshal->opencl.binaries = binaries;
}

static void conversion_free(struct dl_conversion *conversion)
{
    dl_leaf_table_free(&conversion->leaves);
    dl__run_list_free(&conversion->list);
    free(conversion);
}

void dl_marshal_free(struct dl_marshal *marshal)
{
    if (!marshal)
        return;
    while (marshal->conversions) {
        struct dl_conversion *conversion = marshal->conversions;
        marshal->conversions = conversion->next;
        conversion_free(conversion);
    }
    dl__parts_free(marshal);
    dl__engine_close(&marshal->engine);
    free(marshal);
}

void dl_marshal_settle(struct dl_marshal *marshal)
{
    pthread_mutex_lock(&marshal->engine.lock);
    dl__workspaces_settle(&marshal->engine);
    pthread_mutex_unlock(&marshal->engine.lock);
}

unsigned dl_marshal_workspaces(struct dl_marshal *marshal)
{
    return atomic_load(&marshal->engine.workspace_count);
}

enum { TILE_STRUCTS_MIN = 4 };

uint32_t dl_marshal_tile(const struct dl_marshal *marshal,
                         const struct dl_leaf_table *leaves, uint32_t wanted)
{
    uint32_t structs = wanted;

    while (
        structs >= TILE_STRUCTS_MIN &&
        !dl__steps_tile_fits(&marshal->steps, structs * (uint64_t)leaves->struct_bytes))
        structs /= 2;
    return structs >= TILE_STRUCTS_MIN || structs == wanted ? structs : 0;
}

static struct dl_conversion *conversion_find(const struct dl_marshal *marshal,
                                             const struct dl_leaf_table *leaves,
                                             uint64_t structs, struct dl_layout from,
                                             struct dl_layout to)
{
    for (struct dl_conversion *c = marshal->conversions; c; c = c->next)
        if (c->structs == structs && dl_layout_equal(&c->from, &from) &&
            dl_layout_equal(&c->to, &to) && dl_leaf_table_equal(&c->leaves, leaves))
            return c;
    return NULL;
}

/* Between the program's layout and one other, which `*back` leads from. */
static bool is_placed(const struct dl_conversion *conversion, struct dl_tiling *tiling,
                      bool *back)
{
    *back = conversion->to.kind == DL_LAYOUT_AOS;
    return *back != (conversion->from.kind == DL_LAYOUT_AOS) &&
           dl_layout_tile(*back ? conversion->from : conversion->to, conversion->structs,
                          tiling) == DL_OK;
}

/* All of it by the program for any shape. */
static enum dl_status place_build(const struct dl__steps *steps,
                                  struct dl_conversion *conversion)
{
    struct dl_tiling tiling;
    bool back;

    dl__run_list_free(&conversion->list);
    return is_placed(conversion, &tiling, &back)
               ? dl__place_plan(steps, &conversion->leaves, &tiling, back,
                                &conversion->list)
               : DL_ENOTSUP;
}

/* On a CPU the way to discrete arrays in place takes several times as long, and a
 * compiler for each shape. */
static bool prefers_place(const struct dl__steps *steps,
                          const struct dl_conversion *conversion)
{
    struct dl_tiling tiling;
    bool back;

    return steps->engine->limits.is_cpu && steps->knobs.family == DL_FORCE_NONE &&
           is_placed(conversion, &tiling, &back) && tiling.head_structs > 0 &&
           tiling.tile_structs == tiling.head_structs;
}

static enum dl_status steps_build(const struct dl__steps *steps,
                                  struct dl_conversion *conversion)
{
    struct dl_plan_limits limits;
    struct dl_plan plan = {0};
    enum dl_status st;

    dl__steps_plan_limits(steps, &limits);
    st = dl_plan_make(&conversion->leaves, conversion->structs, conversion->from,
                      conversion->to, &limits, &plan);
    for (size_t s = 0; s < plan.step_count && st == DL_OK; s++)
        st = dl__steps_add(steps, &plan.steps[s], &conversion->list);
    dl_plan_free(&plan);
    return st;
}

/* True where one of the layouts is a grid's. */
static bool conversion_is_of_grid(const struct dl_conversion *conversion)
{
    return conversion->from.kind == DL_LAYOUT_GRID ||
           conversion->to.kind == DL_LAYOUT_GRID;
}

/* Plans, chooses and builds every step, and sees that a workspace can be had. */
static enum dl_status conversion_build(struct dl_marshal *marshal,
                                       const struct dl__steps *steps,
                                       struct dl_conversion *conversion)
{
    struct dl__workspace *workspace;
    enum dl_status st = DL_ENOTSUP;

    if (conversion_is_of_grid(conversion))
        st = dl__grid_plan(&marshal->engine, steps, conversion);
    else if (prefers_place(steps, conversion))
        st = place_build(steps, conversion);
    if (st == DL_ENOTSUP && !conversion_is_of_grid(conversion))
        st = steps_build(steps, conversion);
    if (st == DL_ECL && steps->stood_in && !conversion_is_of_grid(conversion)) {
        st = place_build(steps, conversion);
        *steps->stood_in = true;
        st = st == DL_ENOTSUP ? DL_ECL : st;
    }
    if (st == DL_OK &&
        conversion->list.workspace_bytes > marshal->engine.limits.alloc_bytes)
        st = DL_EWORKSPACE;
    if (st == DL_OK && conversion->list.workspace_bytes > 0) {
        st = dl__workspace_take(&marshal->engine, conversion->list.workspace_bytes,
                                &workspace);
        if (st == DL_OK)
            dl__workspace_give(&marshal->engine, workspace, NULL);
    }
    return st;
}

/* The same in place, where a workspace as large as the buffer can't be had. */
static enum dl_status conversion_build_or_in_place(struct dl_marshal *marshal,
                                                   struct dl_conversion *conversion,
                                                   bool may_stand_in)
{
    struct dl__steps steps = marshal->steps, in_place;
    enum dl_status st;

    if (may_stand_in)
        steps.stood_in = &conversion->stands_in;
    in_place = steps;
    st = conversion_build(marshal, &steps, conversion);

    if (st == DL_OK || conversion->list.workspace_bytes == 0 ||
        (steps.knobs.aside_bytes == 0 && steps.knobs.place_bytes == 0))
        return st;
    dl__run_list_free(&conversion->list);
    DL__STEPS_SET(&in_place, aside_bytes, 0);
    DL__STEPS_SET(&in_place, place_bytes, 0);
    return conversion_build(marshal, &in_place, conversion);
}

/* Makes the conversion, with the lock held. */
static enum dl_status conversion_make(struct dl_marshal *marshal,
                                      const struct dl_leaf_table *leaves,
                                      uint64_t structs, struct dl_layout from,
                                      struct dl_layout to, bool may_stand_in,
                                      struct dl_conversion **out)
{
    struct dl_conversion *conversion = calloc(1, sizeof *conversion);
    enum dl_status st;

    if (!conversion)
        return DL_ENOMEM;
    conversion->structs = structs;
    conversion->from = from;
    conversion->to = to;
    st = dl_leaf_table_copy(leaves, &conversion->leaves);
    if (st == DL_OK)
        st = conversion_build_or_in_place(marshal, conversion, may_stand_in);
    if (st != DL_OK) {
        conversion_free(conversion);
        return st;
    }
    conversion->next = marshal->conversions;
    marshal->conversions = conversion;
    *out = conversion;
    return DL_OK;
}

/* Every so often, whether what a conversion stands in for is built by now. */
static void conversion_replace(struct dl_marshal *marshal,
                               struct dl_conversion **conversion)
{
    struct dl_conversion *own = *conversion;
    bool kept_only = marshal->opencl.kept_only;

    own->asked++;
    if ((own->asked & (own->asked - 1)) != 0)
        return;
    marshal->opencl.kept_only = true;
    conversion_make(marshal, &own->leaves, own->structs, own->from, own->to, false,
                    conversion);
    marshal->opencl.kept_only = kept_only;
}

/* How it may be had. */
enum way { BUILT, KEPT, KEPT_OR_STOOD_IN };

static enum dl_status conversion_get(struct dl_marshal *marshal,
                                     const struct dl_leaf_table *leaves, uint64_t structs,
                                     struct dl_layout from, struct dl_layout to,
                                     enum way way, struct dl_conversion **out)
{
    struct dl_conversion *conversion;
    enum dl_status st = DL_OK;

    pthread_mutex_lock(&marshal->engine.lock);
    marshal->opencl.kept_only = way != BUILT;
    conversion = conversion_find(marshal, leaves, structs, from, to);
    if (conversion && conversion->stands_in)
        conversion_replace(marshal, &conversion);
    if (!conversion || (conversion->stands_in && way == KEPT))
        st = conversion_make(marshal, leaves, structs, from, to, way == KEPT_OR_STOOD_IN,
                             &conversion);
    marshal->opencl.kept_only = false;
    pthread_mutex_unlock(&marshal->engine.lock);
    if (st == DL_OK)
        *out = conversion;
    return st;
}

enum dl_status dl_marshal_prepare(struct dl_marshal *marshal,
                                  const struct dl_leaf_table *leaves, uint64_t structs,
                                  struct dl_layout from, struct dl_layout to,
                                  const struct dl_conversion **out)
{
    struct dl_conversion *conversion;
    enum dl_status st =
        conversion_get(marshal, leaves, structs, from, to, BUILT, &conversion);

    if (st == DL_OK)
        *out = conversion;
    return st;
}

enum dl_status dl_marshal_ask(struct dl_marshal *marshal,
                              const struct dl_leaf_table *leaves, uint64_t structs,
                              struct dl_layout from, struct dl_layout to,
                              bool may_stand_in)
{
    struct dl_conversion *conversion;

    return conversion_get(marshal, leaves, structs, from, to,
                          may_stand_in ? KEPT_OR_STOOD_IN : KEPT, &conversion);
}

void dl_marshal_build(struct dl_marshal *marshal, size_t count, const char **texts)
{
    cl_program program;

    pthread_mutex_lock(&marshal->engine.lock);
    if (dl__opencl_ops.program_build(&marshal->opencl, count, texts, &program) ==
        CL_SUCCESS)
        dl__opencl_ops.program_free(&marshal->opencl, program);
    pthread_mutex_unlock(&marshal->engine.lock);
}

enum dl_status dl_marshal_prepare_any(struct dl_marshal *marshal)
{
    enum dl_status st;

    pthread_mutex_lock(&marshal->engine.lock);
    st = dl__step_any_build(&marshal->steps);
    if (st == DL_OK)
        st = dl__place_build(&marshal->steps);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

uint64_t dl_conversion_workspace_bytes(const struct dl_conversion *conversion)
{
    return conversion->list.workspace_bytes;
}

uint64_t dl_conversion_traffic_bytes(const struct dl_conversion *conversion)
{
    return conversion->list.traffic_bytes;
}

/* ---- conversions enqueued ---- */

/* How often a run is tried: what a device has no room for now it may have in a moment. */
enum { RUN_TRIES = 3 };

struct dl_rest {
    const struct dl_conversion *conversion;
    cl_mem mem;
    size_t step; /* the next run */
    struct dl__workspace *workspace;
    bool moved;
};

static cl_int chain_begin(struct dl__run_chain *chain, struct dl_marshal *marshal,
                          cl_command_queue queue, cl_uint wait_count,
                          const cl_event *wait)
{
    *chain = (struct dl__run_chain){.engine = &marshal->engine,
                                    .queue = queue,
                                    .tries = RUN_TRIES,
                                    .wait_count = wait_count,
                                    .wait = wait};
    return marshal->engine.ops->queue_is_in_order(marshal->engine.device, queue,
                                                  &chain->is_in_order);
}

/* Runs the steps from rest->step on; the engine's lock is held. */
static enum dl_status run_steps(struct dl__run_chain *chain, struct dl_rest *rest)
{
    const struct dl__run_list *list = &rest->conversion->list;
    const struct dl__run_place place = {rest->mem,
                                        rest->workspace ? rest->workspace->mem : NULL, 0};

    /* Nobody gets the workspace before the last run that came about is done. */
    chain->wants_each = chain->wants_each || rest->workspace;
    while (rest->step < list->count) {
        const struct dl__run *run = &list->runs[rest->step];
        cl_int err = dl__run_chain_run(chain, run, &place, rest->step + 1 == list->count);

        if (err != CL_SUCCESS)
            return dl__status_of_cl(err);
        rest->step++;
        rest->moved = rest->moved || !run->reads_only;
    }
    return DL_OK;
}

static void give_workspace(struct dl__engine *engine, struct dl_rest *rest, cl_event last,
                           bool idle)
{
    if (rest->workspace && (last || idle))
        dl__workspace_give(engine, rest->workspace, last);
    rest->workspace = NULL;
}

/* Hands the outcome on: `rest` is freed, or kept for later where data has moved. */
static void steps_end(struct dl__run_chain *chain, struct dl_rest *rest,
                      enum dl_status st, cl_event *first, cl_event *done,
                      struct dl_rest **left)
{
    bool stays = st != DL_OK && rest->moved;

    if (!stays)
        give_workspace(chain->engine, rest, chain->last, st == DL_OK || rest->step == 0);
    *left = stays ? rest : NULL;
    if (!stays)
        free(rest);
    dl__run_chain_end(chain, st == DL_OK ? first : NULL,
                      st == DL_OK || stays ? done : NULL);
}

/* Takes the workspace, and sees that it is there before data moves. */
static enum dl_status prepare_workspace(struct dl__run_chain *chain, struct dl_rest *rest)
{
    const struct dl__run_list *list = &rest->conversion->list;
    cl_event event = NULL;
    /* On a queue in order, too: nobody else gets the workspace while it is written here.
     */
    const struct dl__device_order order = {chain->wait_count, chain->wait, &event};
    enum dl_status st;

    if (list->workspace_bytes == 0)
        return DL_OK;
    st = dl__workspace_take(chain->engine, list->workspace_bytes, &rest->workspace);
    /* Where the first run needs no workspace, a later one must not find that there is
     * none. */
    if (st != DL_OK || rest->workspace->touched || dl__run_uses_workspace(&list->runs[0]))
        return st;
    st = dl__workspace_touch(chain->engine, chain->queue, rest->workspace, &order);
    if (st == DL_OK)
        dl__run_chain_follow(chain, event);
    return st;
}

enum dl_status dl_marshal_enqueue(struct dl_marshal *marshal, cl_command_queue queue,
                                  const struct dl_conversion *conversion, cl_mem mem,
                                  cl_uint wait_count, const cl_event *wait,
                                  cl_event *first, cl_event *done, struct dl_rest **left)
{
    struct dl__run_chain chain;
    struct dl_rest *rest;
    enum dl_status st;
    cl_int err;

    *left = NULL;
    if (conversion->list.count == 0)
        return dl__status_of_cl(
            dl__engine_mark(&marshal->engine, queue, wait_count, wait, first, done));
    err = chain_begin(&chain, marshal, queue, wait_count, wait);
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    rest = calloc(1, sizeof *rest);
    if (!rest)
        return DL_ENOMEM;
    *rest = (struct dl_rest){.conversion = conversion, .mem = mem};
    chain.wants_first = first != NULL;
    /* Others must not take a chain that breaks off for one that has ended. */
    chain.wants_each = done != NULL;
    pthread_mutex_lock(&marshal->engine.lock);
    st = prepare_workspace(&chain, rest);
    if (st == DL_OK)
        st = run_steps(&chain, rest);
    steps_end(&chain, rest, st, first, done, left);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

enum dl_status dl_marshal_resume(struct dl_marshal *marshal, cl_command_queue queue,
                                 struct dl_rest *rest, cl_uint wait_count,
                                 const cl_event *wait, cl_event *done,
                                 struct dl_rest **left)
{
    struct dl__run_chain chain;
    cl_int err = chain_begin(&chain, marshal, queue, wait_count, wait);
    enum dl_status st;

    *left = rest;
    if (err != CL_SUCCESS)
        return dl__status_of_cl(err);
    chain.wants_each = done != NULL;
    pthread_mutex_lock(&marshal->engine.lock);
    st = run_steps(&chain, rest);
    steps_end(&chain, rest, st, NULL, done, left);
    pthread_mutex_unlock(&marshal->engine.lock);
    return st;
}

void dl_rest_free(struct dl_marshal *marshal, struct dl_rest *rest)
{
    pthread_mutex_lock(&marshal->engine.lock);
    give_workspace(&marshal->engine, rest, NULL, false);
    pthread_mutex_unlock(&marshal->engine.lock);
    free(rest);
}
