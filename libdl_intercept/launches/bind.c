/* SPDX-License-Identifier: MIT */
/* Finds what a launch needs: the layout of each annotated buffer, evaluated and checked,
 * and the kernel that runs on it. All of it can fail before data moves. */
#include "bind.h"

#include <stdio.h>
#include <string.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/trace/trace.h"
#include "choose.h"
#include "layouts.h"
#include "grids.h"
#include "repeat.h"

enum { SMALL_STRUCTS = 32 };

/* Why this argument can't be tiled in this launch; NULL: it can. */
static DL__WITH_LOCK const char *bind_buffer(const struct dl__ndrange *range,
                                             size_t buffer, struct dl_layout layout,
                                             struct dl__binding *binding)
{
    const struct dl__kernel *kernel = range->kernel;
    const struct dl_buffer_note *note = &kernel->note->buffers[buffer];
    const struct dl__arg *arg =
        note->arg_index < kernel->arg_count ? &kernel->args[note->arg_index] : NULL;
    const char *refusal;

    binding->note = note;
    if (!arg || arg->serial == 0)
        return "the argument is not set";
    if (arg->svm)
        return "the argument is a pointer to shared virtual memory";
    if (arg->null || !arg->value.mem)
        return NULL;
    binding->mem = range->mems[note->arg_index];
    if (!binding->mem || binding->mem->object.context != range->queue->object.context)
        return "the argument is a memory object that DL does not track";
    if (binding->mem->kind == DL__SUB_BUFFER) {
        binding->part = binding->mem;
        binding->mem = binding->part->parent;
    }
    binding->move.mem = binding->mem;
    binding->move.layout = layout;
    binding->move.leaves = dl__kernel_leaves(kernel, buffer);
    binding->move.structs = binding->mem->bytes / binding->move.leaves->struct_bytes;
    /* Of a buffer smaller than one struct nothing moves. */
    if (binding->move.structs == 0 && layout.kind != DL_LAYOUT_SOA)
        binding->move.layout.kind = layout.kind = DL_LAYOUT_AOS;
    if (layout.kind == DL_LAYOUT_AOS)
        return NULL;
    refusal = dl__mem_refusal(binding->mem);
    if (refusal)
        return refusal;
    if (dl__mem_is_copied(binding->mem) && note->written)
        return binding->mem->flags & CL_MEM_READ_ONLY
                   ? "the kernel may write it, but it is CL_MEM_READ_ONLY"
                   : "the kernel may write it, but it is CL_MEM_USE_HOST_PTR";
    return binding->part && binding->part->flags & CL_MEM_READ_ONLY && note->written
               ? "the kernel may write it, but the sub-buffer is CL_MEM_READ_ONLY"
               : NULL;
}

/* Where the argument begins. False: the kernel must run as written. */
static DL__WITH_LOCK bool check_place(struct dl__kernel *kernel,
                                      struct dl__binding *binding)
{
    const char *end =
        binding->note->native == DL_LAYOUT_SOA ? "" : "; the kernel runs as written";
    char reason[128], text[200];

    if (dl__part_place(binding, reason, sizeof reason))
        return true;
    snprintf(text, sizeof text, "%s%s", reason, end);
    if (!kernel->launched.place_remarked)
        dl__plan_remark(kernel, binding->note, text);
    kernel->launched.place_remarked = true;
    return false;
}

/* A buffer bound twice must be wanted the same way twice. */
static const char *check_aliases(const struct dl__ndrange *range,
                                 const struct dl__binding *bindings, size_t count)
{
    for (unsigned a = 0; a < range->kernel->arg_count; a++) {
        struct dl__mem *root = dl__mem_root(range->mems[a]);
        const struct dl__binding *own = NULL;

        for (size_t b = 0; b < count; b++) {
            if (bindings[b].mem && bindings[b].note->arg_index == a)
                own = &bindings[b];
        }
        for (size_t b = 0; root && b < count; b++) {
            if (bindings[b].mem != root || own == &bindings[b])
                continue;
            if (!own)
                return "the same buffer is also passed as an argument that is left alone";
            if (!dl_leaf_table_equal(own->move.leaves, bindings[b].move.leaves))
                return "the same buffer is passed as two different struct types";
            if (own->move.layout.kind != bindings[b].move.layout.kind)
                return "the same buffer is wanted in two layouts";
        }
    }
    return NULL;
}

/* ---- the plan ---- */

bool dl__kernel_wants_soa(const struct dl__kernel *kernel)
{
    bool wants = kernel->note->refused;

    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        wants |= kernel->note->buffers[b].native == DL_LAYOUT_SOA;
    return wants;
}

bool dl__lacks_linker(const struct dl__kernel *kernel, const struct dl__queue *queue)
{
    const struct dl__device *device =
        dl__context_device(kernel->object.context, queue->device);

    if (!dl__device_lacks_linker(device))
        return false;
    if (!dl__options_get()->layout_auto)
        dl__log(DL__LOG_WARNING,
                "the program has changed its PATH, where a CPU's driver looks for its "
                "linker (ld): its kernels run as written from now on");
    return true;
}

bool dl__plan_may_shadow(struct dl__kernel *kernel, struct dl__queue *queue)
{
    bool rewritten = false;

    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        rewritten |= kernel->note->buffers[b].native == DL_LAYOUT_AOS &&
                     dl__grids_may_move(&kernel->note->buffers[b]);
    return rewritten && !dl__is_given_up(kernel, queue->device) &&
           !kernel->svm_indirect && !kernel->object.context->pinned &&
           dl__rewrite_is_for(kernel->rewrite, queue->device) &&
           !dl__lacks_linker(kernel, queue);
}

bool dl__plan_widths(const struct dl__ndrange *range)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl_launch launch;
    bool known, any = false;

    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        any |= dl__leaves_are_open(&kernel->note->buffers[b]);
    if (!any)
        return true;
    known = dl__launch_begin(range, &launch);
    for (size_t b = 0; known && b < kernel->note->buffer_count; b++)
        known = dl__width_set(range, b, &launch);
    dl__launch_end(&launch);
    return known;
}

/* True when each buffer is one tile of all its structs, from its first byte to its last.
 */
static DL__WITH_LOCK bool are_plain(const struct dl__binding *bindings, size_t count)
{
    for (size_t b = 0; b < count; b++)
        if (bindings[b].mem &&
            (bindings[b].part ||
             bindings[b].mem->bytes % bindings[b].move.leaves->struct_bytes))
            return false;
    return true;
}

/* True of parameters and the like, which are not worth what a layout takes. */
static bool are_small(const struct dl__binding *bindings, size_t count,
                      const struct dl_layout *layout)
{
    uint64_t tile = layout->kind == DL_LAYOUT_ASTA ? layout->tile_structs : SMALL_STRUCTS;

    for (size_t b = 0; b < count; b++)
        if (bindings[b].mem && bindings[b].move.structs >= tile)
            return false;
    return true;
}

/* Returns what a buffer is to be in where the launch is on `layout`. */
static DL__WITH_LOCK struct dl_layout layout_of_buffer(const struct dl__kernel *kernel,
                                                       size_t buffer,
                                                       const struct dl_launch *launch,
                                                       const struct dl_layout *layout)
{
    struct dl_layout own = *layout;

    if (layout->kind == DL_LAYOUT_GRID || kernel->note->buffers[buffer].extent_count)
        return dl__grids_wanted(kernel, buffer, launch, layout);
    if (kernel->note->buffers[buffer].arrays && own.kind != DL_LAYOUT_ASTA)
        own.kind = DL_LAYOUT_AOS;
    return own;
}

/* Binds each buffer as the plan needs it. False: as dl__plan_prepare. */
static DL__WITH_LOCK bool bind_buffers(const struct dl__ndrange *range,
                                       const struct dl_launch *launch,
                                       const struct dl_layout *layout,
                                       struct dl__plan *plan)
{
    static const struct dl_layout soa = {.kind = DL_LAYOUT_SOA};
    struct dl__kernel *kernel = range->kernel;
    const struct dl_kernel_note *note = kernel->note;
    struct dl__binding *bindings = plan->bindings;

    for (size_t b = 0; b < note->buffer_count; b++) {
        bool discrete = note->buffers[b].native == DL_LAYOUT_SOA;
        struct dl_layout wanted;

        plan->culprit = &note->buffers[b];
        bindings[b].note = plan->culprit;
        if (!discrete && !layout)
            continue;
        if (!dl__width_set(range, b, launch))
            return false;
        wanted = discrete ? soa : layout_of_buffer(kernel, b, launch, layout);
        plan->reason = bind_buffer(range, b, wanted, &bindings[b]);
        if (!plan->reason)
            plan->reason = dl__bytes_refusal(plan->culprit, launch);
        if (!plan->reason)
            plan->reason = dl__arrays_settle(kernel, launch, &bindings[b]);
        if (plan->reason)
            return false;
        if (!bindings[b].mem)
            continue;
        if (!check_place(kernel, &bindings[b]) ||
            !dl__dimension_check(kernel, &bindings[b], launch))
            return false;
        if (!discrete &&
            dl_annotate_needs_index_64(bindings[b].move.leaves, bindings[b].mem->bytes))
            plan->knobs.index_64 = true;
    }
    if (layout && layout->kind == DL_LAYOUT_SOA)
        plan->knobs.arrays = are_plain(bindings, note->buffer_count);
    plan->culprit = &note->buffers[0];
    if (layout && layout->kind != DL_LAYOUT_AOS &&
        dl__arrays_for_nothing(note, bindings)) {
        plan->reason =
            "discrete arrays of its own go to tiles, where they fill the buffer";
        plan->is_known = true;
        return false;
    }
    if (layout && note->detected && are_small(bindings, note->buffer_count, layout)) {
        plan->reason = dl__why_text(DL__WHY_SMALL);
        return false;
    }
    plan->reason = check_aliases(range, bindings, note->buffer_count);
    return !plan->reason;
}

/* True while a compiler would have to be waited for: where DL chooses the layout itself,
 * nobody does. Everything is asked for at once. */
static DL__WITH_LOCK bool is_building(struct dl__kernel *kernel, struct dl__queue *queue,
                                      struct dl__plan *plan)
{
    bool ready;

    /* Tests must not hang on how far a compiler is. */
    if (!dl__options_get()->layout_auto || dl__options_get()->policy_test)
        return false;
    ready = dl__shadow_ask(kernel, queue->device, &plan->knobs) == DL__READY;
    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        if (dl__binding_is_moved(&plan->bindings[b]))
            ready = dl__move_ask(&plan->bindings[b].move, queue) == DL__READY && ready;
    return !ready;
}

/* True when all that was bound for a launch like this one is as it was; *plan is that
 * plan. */
static DL__WITH_LOCK bool is_planned(const struct dl__ndrange *range,
                                     const struct dl__repeat *known,
                                     const struct dl_layout *layout,
                                     struct dl__plan *plan)
{
    struct dl__kernel *kernel = range->kernel;

    if (!known || !known->planned || !layout ||
        known->rows_made != kernel->launched.rows_made ||
        !dl_layout_equal(&known->layout, layout))
        return false;
    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        const struct dl__mem *mem = known->bindings[b].mem;

        if (mem->residence.changes != known->changes[b] || dl__mem_refusal(mem))
            return false;
    }
    if (dl__shadow_kernel_set(kernel, range->mems, known->plan.shadow) != CL_SUCCESS)
        return false;
    *plan = known->plan;
    return true;
}

/* Keeps what was bound, where nothing has to be moved for it and the buffers are the
 * program's own. */
static DL__WITH_LOCK void keep_plan(const struct dl__kernel *kernel,
                                    struct dl__repeat *known,
                                    const struct dl_layout *layout,
                                    const struct dl__plan *plan)
{
    if (!layout || !plan->shadow)
        return;
    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        const struct dl__binding *binding = &known->bindings[b];

        if (!dl__binding_is_moved(binding) || binding->part || binding->move.needed ||
            dl__mem_is_copied(binding->mem))
            return;
        known->changes[b] = binding->mem->residence.changes;
    }
    known->layout = *layout;
    known->plan = *plan;
    known->planned = true;
}

bool dl__plan_prepare(const struct dl__ndrange *range, const struct dl_layout *layout,
                      struct dl__plan *plan)
{
    struct dl__queue *queue = range->queue;
    struct dl__kernel *kernel = range->kernel;
    const struct dl_kernel_note *note = kernel->note;
    struct dl__binding *bindings = plan->bindings;
    struct dl_launch launch;
    bool ready = false;

    plan->culprit = &note->buffers[0];
    plan->reason = dl__cancel_possible(kernel->object.context) ? dl__cancel_reason : NULL;
    if (plan->reason)
        return false;
    if (is_planned(range, range->known, layout, plan))
        return true;
    if (range->known)
        range->known->planned = false;
    memset(bindings, 0, note->buffer_count * sizeof *bindings);
    if (layout) {
        memset(&plan->knobs, 0, sizeof plan->knobs);
        dl_layout_knobs(layout, &plan->knobs.layout);
    }
    if (!dl__launch_begin(range, &launch))
        goto out;
    if (layout && dl__has_far_ids(&launch))
        plan->reason = "the launch has ids beyond 2^40";
    if (plan->reason || !bind_buffers(range, &launch, layout, plan))
        goto out;
    if (range->known)
        range->known->rows_made = kernel->launched.rows_made;
    plan->building = layout && is_building(kernel, queue, plan);
    if (plan->building) {
        dl__choice_building(range);
        goto out;
    }
    if (layout) {
        plan->shadow = dl__shadow_kernel_get(kernel, queue, range->mems, &plan->knobs,
                                             &plan->reason);
        if (!plan->shadow) {
            dl__give_up_on(kernel, queue->device);
            goto out;
        }
        plan->handle = plan->shadow->handle;
    }
    for (size_t b = 0; b < note->buffer_count; b++) {
        plan->culprit = &note->buffers[b];
        /* Discrete arrays that a kernel demands are waited for under any layout. */
        if (dl__binding_is_moved(&bindings[b]) &&
            (!layout || !dl__options_get()->layout_auto) &&
            !dl__move_wait(&bindings[b].move, queue, &plan->reason))
            goto out;
        if (dl__binding_is_moved(&bindings[b]) && !plan->on_copies &&
            (!dl__move_prepare(&bindings[b].move, queue, &plan->reason) ||
             !dl__part_prepare(&bindings[b], &plan->reason)))
            goto out;
    }
    ready = true;
    if (range->known)
        keep_plan(kernel, range->known, layout, plan);
out:
    dl__launch_end(&launch);
    return ready;
}

/* ---- the hidden arguments of rewritten kernels ---- */

/* The next of the hidden numbers, where it is another than at the last launch. */
static cl_int set_hidden_arg(const struct dl__kernel *kernel, const struct dl__plan *plan,
                             unsigned hidden, uint64_t value)
{
    struct dl__shadow_kernel *shadow = plan->shadow;
    cl_uint index = kernel->note->arg_count + hidden;
    cl_ulong wide = value;
    cl_uint narrow = (cl_uint)value;
    cl_int err;

    if (hidden < shadow->hidden_count && shadow->hidden[hidden] == value)
        return CL_SUCCESS;
    err = plan->knobs.index_64
              ? dl__next.clSetKernelArg(plan->handle, index, sizeof wide, &wide)
              : dl__next.clSetKernelArg(plan->handle, index, sizeof narrow, &narrow);
    if (err != CL_SUCCESS) {
        shadow->hidden_count = 0;
        return err;
    }
    shadow->hidden[hidden] = value;
    if (shadow->hidden_count == hidden)
        shadow->hidden_count++;
    return CL_SUCCESS;
}

cl_int dl__hidden_args_set(const struct dl__kernel *kernel, const struct dl__plan *plan)
{
    unsigned hidden = 0;
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < kernel->note->buffer_count && err == CL_SUCCESS; b++) {
        const struct dl__binding *binding = &plan->bindings[b];
        struct dl_tiling tiling = {0};

        if (binding->note->native == DL_LAYOUT_SOA)
            continue;
        if (binding->mem)
            dl_layout_tile(binding->move.layout, binding->move.structs, &tiling);
        /* Whole tiles from where a sub-buffer begins, also those behind its end: its last
         * struct may lie in the middle of one. */
        uint64_t values[] = {tiling.head_structs - binding->first_struct,
                             tiling.tail_structs};

        /* Of what stays as it is no struct is in a tile. */
        if (binding->mem && !dl__binding_is_moved(binding))
            values[0] = values[1] = 0;
        if (binding->note->arrays) { /* not in tiles: no head (annotate.h) */
            values[0] = dl__binding_is_moved(binding) ? tiling.head_structs : 0;
            values[1] = binding->mem ? binding->move.leaves->leaf_count : 0;
        }
        for (size_t v = 0; v < 2 && err == CL_SUCCESS; v++)
            err = set_hidden_arg(kernel, plan, hidden++, values[v]);
    }
    return err;
}

/* ---- the buffers of a launch, where it wants them ---- */
