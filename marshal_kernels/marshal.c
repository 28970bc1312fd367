/* SPDX-License-Identifier: MIT */
/* The marshaling kernels of one device: conversions prepared at need and kept. */
#include "algorithm.h"
#include "internal.h"
#include "place.h"

#include <stdlib.h>

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

/* Plans, chooses and builds every step, and sees that a workspace can be had. */
static enum dl_status conversion_build(struct dl_marshal *marshal,
                                       const struct dl__steps *steps,
                                       struct dl_conversion *conversion)
{
    struct dl__workspace *workspace;
    enum dl_status st = DL_ENOTSUP;

    if (dl__conversion_is_of_grid(conversion))
        st = dl__grid_plan(&marshal->engine, steps, conversion);
    else if (prefers_place(steps, conversion))
        st = place_build(steps, conversion);
    if (st == DL_ENOTSUP && !dl__conversion_is_of_grid(conversion))
        st = steps_build(steps, conversion);
    if (st == DL_ECL && steps->stood_in && !dl__conversion_is_of_grid(conversion)) {
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

bool dl__marshal_stands_in(const struct dl_marshal *marshal,
                           const struct dl_leaf_table *leaves)
{
    for (struct dl_conversion *c = marshal->conversions; c; c = c->next)
        if (c->stands_in && dl_leaf_table_equal(&c->leaves, leaves))
            return true;
    return false;
}

uint64_t dl_conversion_workspace_bytes(const struct dl_conversion *conversion)
{
    return conversion->list.workspace_bytes;
}

uint64_t dl_conversion_traffic_bytes(const struct dl_conversion *conversion)
{
    return conversion->list.traffic_bytes;
}
