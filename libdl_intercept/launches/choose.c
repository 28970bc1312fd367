/* SPDX-License-Identifier: MIT */
/* A launch as the policy sees it. */
#include "choose.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/ask.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/residence.h"
#include "libdl_intercept/reports/reasons.h"
#include "arrays.h"
#include "bind.h"
#include "coalesced.h"
#include "device_layout.h"
#include "explore.h"
#include "grids.h"
#include "on_device.h"
#include "repeat.h"

/* Building with these, a compiler may round as it likes. */
static bool is_relaxed(const struct dl__rewrite *rewrite)
{
    static const char *const flags[] = {"-cl-fast-relaxed-math", "-cl-mad-enable",
                                        "-cl-unsafe-math-optimizations"};
    bool relaxed = false;

    for (size_t u = 0; u < rewrite->unit_count; u++)
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
            relaxed |= rewrite->units[u]->options &&
                       strstr(rewrite->units[u]->options, flags[f]) != NULL;
    return relaxed;
}

struct dl__policy_kernel *dl__choice_kernel(struct dl__kernel *kernel,
                                            cl_device_id device,
                                            struct dl__policy *policy)
{
    struct dl__launched_on *on = dl__launched_on(kernel, device);
    unsigned char text[DL__DIGEST_BYTES];
    _Static_assert(sizeof text == DL__TEXT_BYTES, "as the policy compares them");

    if (on && !on->policy_kernel) {
        dl__rewrite_hash(kernel->rewrite, text);
        on->policy_kernel = dl__policy_kernel_of(policy, text, kernel->name);
    }
    return on ? on->policy_kernel : NULL;
}

void dl__choice_building(struct dl__kernel *kernel, cl_device_id device,
                         struct dl__choice *choice)
{
    struct dl__launched_on *on = dl__launched_on(kernel, device);

    if (on)
        on->ready = 0;
    dl__choice_unready(choice);
}

/* The buffer behind an annotated argument, of at least one struct; NULL: there is none.
 */
static DL__WITH_LOCK struct dl__mem *bound_buffer(const struct dl__kernel *kernel,
                                                  const struct dl__ndrange *range,
                                                  size_t buffer)
{
    struct dl__mem *mem = dl__buffer_root(kernel, range->mems, buffer);

    return mem && mem->object.context == kernel->object.context &&
                   mem->bytes >= dl__kernel_leaves(kernel, buffer)->struct_bytes
               ? mem
               : NULL;
}

static bool is_among(uint32_t bits, size_t number)
{
    return number < 32 && bits >> number & 1;
}

struct dl__estimated_buffer dl__estimated_buffer(const struct dl__kernel *kernel,
                                                 size_t b, uint64_t structs)
{
    const struct dl_buffer_note *note = &kernel->note->buffers[b];
    const struct dl_leaf_table *leaves = dl__kernel_leaves(kernel, b);
    uint32_t widest = 1;

    for (uint32_t l = 0; l < leaves->leaf_count && l < 64; l++)
        if (leaves->leaves[l].width_bytes > widest)
            widest = leaves->leaves[l].width_bytes;
    return (struct dl__estimated_buffer){
        .facts = note->facts,
        .fact_count = note->fact_count,
        .struct_bytes = leaves->struct_bytes,
        .leaf_bytes = widest,
        .structs = structs,
        .written = note->written,
        .arrays = note->arrays,
        .grid = note->extent_count > 0,
        .group_loads = is_among(kernel->note->coalesced_loads, b),
        .group_stores = is_among(kernel->note->coalesced_stores, b)};
}

static double work_of(const struct dl__ndrange *range)
{
    double work = 1;

    for (cl_uint d = 0; d < range->work_dim; d++)
        work *= (double)range->global[d];
    return work;
}

/* As a number. */
static uint64_t group_items(const struct dl__ndrange *range)
{
    uint64_t items = 0;

    for (cl_uint d = 0; range->local && d < range->work_dim; d++)
        items = items << 20 | (range->local[d] & 0xfffff);
    return items;
}

/* The launch's buffers as estimates see them, which the caller frees; NULL: out of
 * memory.
 *   known  out: each argument names one, and what is accessed of it is known; may be NULL
 *          */
static DL__WITH_LOCK struct dl__estimated_buffer *
estimated_buffers(const struct dl__kernel *kernel, const struct dl__ndrange *range,
                  size_t *count, bool *known)
{
    struct dl__estimated_buffer *estimated =
        calloc(kernel->note->buffer_count, sizeof *estimated);

    *count = 0;
    for (size_t b = 0; estimated && b < kernel->note->buffer_count; b++) {
        uint32_t struct_bytes = dl__kernel_leaves(kernel, b)->struct_bytes;
        const struct dl__mem *mem = struct_bytes ? bound_buffer(kernel, range, b) : NULL;

        if (known)
            *known = *known && mem && kernel->note->buffers[b].facts;
        if (mem)
            estimated[(*count)++] =
                dl__estimated_buffer(kernel, b, mem->bytes / struct_bytes);
    }
    return estimated;
}

uint64_t dl__launch_bytes(const struct dl__kernel *kernel,
                          const struct dl__ndrange *range)
{
    /* At a speed of a byte a microsecond; the least that is used hangs on nothing else.
     */
    const struct dl_rates rates = {.copy_mb = 1, .sector_bytes = 32};
    struct dl__estimate estimate = {0};
    size_t count;
    bool known = range->work_dim >= 1 && range->work_dim <= 3 && range->global;
    struct dl__estimated_buffer *estimated =
        estimated_buffers(kernel, range, &count, &known);

    if (estimated && known)
        dl__estimate_launch(&rates, estimated, count, work_of(range), &estimate);
    free(estimated);
    return (uint64_t)(estimate.least_seconds * 1e6);
}

/* False: the kernel has no buffer that goes into layouts of structs. */
static bool has_structs(const struct dl__kernel *kernel)
{
    bool any = false;

    for (size_t b = 0; b < kernel->note->buffer_count; b++)
        any |= kernel->note->buffers[b].extent_count == 0;
    return any;
}

void dl__choice_layout(enum dl__candidate_id id, struct dl__kernel *kernel,
                       struct dl__queue *queue, const struct dl__ndrange *range,
                       struct dl__device *device, struct dl_layout *layout)
{
    const struct dl__candidate *candidate = dl__candidate_get(id);
    bool is_cpu = !(device->type & CL_DEVICE_TYPE_GPU);

    layout->kind = candidate->kind;
    layout->tile_structs = 0;
    if (candidate->in_place) {
        layout->tile_structs = range && dl__coalesced_may(kernel, queue, range, NULL);
        return;
    }
    if (candidate->kind == DL_LAYOUT_GRID) {
        layout->tile_structs = range && dl__grids_choose(kernel, queue, range, layout);
        return;
    }
    if (!has_structs(kernel))
        return;
    layout->tile_structs = dl__options_get()->tile_structs;
    if (layout->tile_structs)
        return;
    if (candidate->kind == DL_LAYOUT_DA)
        *layout = dl__device_arrays(device);
    else if (is_cpu && candidate->cpu_tile_structs)
        layout->tile_structs = candidate->cpu_tile_structs;
    else
        layout->tile_structs = dl__device_tile(kernel, device);
}

/* What is to be had of two things, of which both are needed. */
static enum dl__ready both(enum dl__ready one, enum dl__ready other)
{
    return one == DL__NOT_POSSIBLE || other == DL__NOT_POSSIBLE ? DL__NOT_POSSIBLE
           : one == DL__READY                                   ? other
                                                                : one;
}

/* Whether nothing that the launch needs on a candidate has to be compiled; what has is
 * asked for. */
static DL__WITH_LOCK enum dl__ready how_far(struct dl__kernel *kernel,
                                            struct dl__queue *queue,
                                            const struct dl__ndrange *range,
                                            struct dl_layout layout)
{
    struct dl__shadow_knobs knobs = {.arrays = layout.kind == DL_LAYOUT_SOA};
    struct dl__shadow_knobs telling = {.printing = true};
    enum dl__ready moves = DL__READY;
    bool ready = true;

    if (layout.kind == DL_LAYOUT_AOS)
        return !dl__coalesced_may(kernel, queue, range, &ready) ? DL__NOT_POSSIBLE
               : ready                                          ? DL__READY
                                                                : DL__BUILDING;
    dl_layout_knobs(&layout, &knobs.layout);
    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        const struct dl_leaf_table *leaves = dl__kernel_leaves(kernel, b);
        struct dl__mem *mem = bound_buffer(kernel, range, b);
        struct dl__move move = {.mem = mem, .layout = layout, .leaves = leaves};

        if (!mem)
            continue;
        move.structs = mem->bytes / leaves->struct_bytes;
        /* As bind.c has them. */
        knobs.index_64 |= dl_annotate_needs_index_64(leaves, mem->bytes);
        knobs.arrays = knobs.arrays && mem->bytes % leaves->struct_bytes == 0 &&
                       range->mems[kernel->note->buffers[b].arg_index] == mem;
        if (layout.kind == DL_LAYOUT_GRID || kernel->note->buffers[b].extent_count)
            move.layout = dl__grids_bound(kernel, range, b, &layout);
        if (move.layout.kind == DL_LAYOUT_AOS)
            continue;
        if (leaves->arrays && (layout.kind != DL_LAYOUT_ASTA || leaves->leaf_count < 2))
            continue;
        moves = both(moves, dl__move_ask(&move, queue));
    }
    if (kernel->note->tells)
        moves = both(moves, dl__shadow_ask(kernel->rewrite, kernel->object.context,
                                           kernel->note, queue->device, &telling));
    return both(dl__shadow_ask(kernel->rewrite, kernel->object.context, kernel->note,
                               queue->device, &knobs),
                moves);
}

/* Where launches come fast, few of them ask for what is being compiled. */
enum { ASKED_OFTEN = 64, ASKED_EVERY = 8 };

/* Which candidates could run now; what it is not worth it for is not asked for. The less
 * promising are not built before the others. False: out of memory. */
static DL__WITH_LOCK bool ask_whether_ready(struct dl__kernel *kernel,
                                            struct dl__queue *queue,
                                            struct dl__device *device,
                                            const struct dl__ndrange *range,
                                            struct dl__choice *choice)
{
    struct dl__repeat *known = range->known;
    struct dl__launched_on *on = dl__launched_on(kernel, queue->device);
    struct dl__policy_ask *ask = choice->ask;
    unsigned wanted, later;
    bool building = false;

    if (!on || !dl__choice_asks_for(choice, &wanted, &later))
        return false;
    ask->asked_for = wanted | later;
    memset(ask->ready, 0, sizeof ask->ready);
    ask->ready[DL__NATIVE] = true;
    if ((wanted | later) & ~on->ready && known && ++known->asked > ASKED_OFTEN &&
        known->asked % ASKED_EVERY != 0) {
        wanted &= on->ready;
        later &= on->ready;
    }
    for (int i = DL__NATIVE + 1; i < 2 * DL__CANDIDATES; i++) {
        int c = i % DL__CANDIDATES;
        struct dl_layout layout;
        enum dl__ready ready = DL__READY;

        if (!((i == c ? wanted : later) >> c & 1))
            continue;
        if (!(on->ready >> c & 1)) {
            dl__choice_layout((enum dl__candidate_id)c, kernel, queue, range, device,
                              &layout);
            if (layout.tile_structs == 0 || (i != c && building))
                continue;
            if (!dl__options_get()->policy_test)
                ready = how_far(kernel, queue, range, layout);
            building |= ready == DL__BUILDING;
        }
        if (ready != DL__READY)
            continue;
        on->ready |= 1u << c;
        ask->ready[c] = true;
    }
    return true;
}

/* ---- what a launch is like ---- */

/* The launch's own: its kernel and buffers. False: it has none. */
static DL__WITH_LOCK bool describe_own(struct dl__kernel *kernel, cl_device_id device,
                                       const struct dl__ndrange *range,
                                       struct dl__choice *choice)
{
    struct dl__policy_ask *ask = choice->ask;
    size_t count = kernel->note->buffer_count;

    if (!ask->buffers)
        ask->buffers = calloc(count, sizeof(struct dl__policy_buffer *));
    ask->kernel = ask->buffers ? dl__choice_kernel(kernel, device, choice->policy) : NULL;
    if (!ask->kernel)
        return false;
    ask->buffer_count = 0;
    for (size_t b = 0; b < count; b++) {
        struct dl__mem *mem = bound_buffer(kernel, range, b);
        struct dl__policy_buffer *buffer = mem ? dl__policy_buffer_of(mem) : NULL;
        bool there = false;

        if (mem && !buffer)
            return false;
        if (!mem)
            continue;
        buffer->struct_bytes = dl__kernel_leaves(kernel, b)->struct_bytes;
        for (size_t a = 0; a < ask->buffer_count; a++)
            there |= ask->buffers[a] == buffer;
        if (!there)
            ask->buffers[ask->buffer_count++] = buffer;
    }
    return ask->buffer_count > 0;
}

/* What others of its size have, too. False: out of memory. */
static DL__WITH_LOCK bool describe_size(struct dl__kernel *kernel,
                                        struct dl__queue *queue,
                                        struct dl__device *device,
                                        const struct dl__ndrange *range,
                                        struct dl__choice *choice)
{
    size_t count;
    struct dl__estimated_buffer *estimated =
        estimated_buffers(kernel, range, &count, NULL);
    struct dl__policy_ask *ask = choice->ask;

    if (!estimated)
        return false;
    for (size_t b = 0; b < count; b++)
        if (estimated[b].structs > ask->structs)
            ask->structs = estimated[b].structs;
    ask->work = work_of(range);
    ask->group_items = group_items(range);
    ask->annotated = !kernel->note->detected;
    ask->exact = dl__options_get()->exact && !ask->annotated &&
                 (kernel->note->contractable || is_relaxed(kernel->rewrite));
    dl__estimate_launch(&choice->policy->rates, estimated, count, ask->work,
                        &ask->estimate);
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        struct dl_layout layout;

        dl__choice_layout((enum dl__candidate_id)c, kernel, queue, range, device,
                          &layout);
        ask->tile[c] = layout.tile_structs;
    }
    dl__explore_price(kernel, queue, range, &choice->policy->rates, ask);
    free(estimated);
    return true;
}

/* Describes the launch to the policy. False: it can't be. */
static DL__WITH_LOCK bool describe(struct dl__kernel *kernel, struct dl__queue *queue,
                                   struct dl__device *device,
                                   const struct dl__ndrange *range,
                                   struct dl__choice *choice)
{
    const struct dl__repeat *alike = dl__repeat_alike(kernel, queue, range);
    struct dl__policy_buffer **buffers = choice->ask->buffers;

    choice->policy =
        alike ? alike->policy
              : dl__policy_of(device->id, !(device->type & CL_DEVICE_TYPE_GPU));
    if (!choice->policy || !dl__plan_widths(kernel, range))
        return false;
    *choice->ask = alike ? alike->ask : (struct dl__policy_ask){0};
    choice->ask->buffers = buffers;
    choice->ask->lease = choice->ask->taken = 0;
    choice->ask->leased_link = NULL;
    return (alike || describe_size(kernel, queue, device, range, choice)) &&
           describe_own(kernel, device->id, range, choice);
}

/* False: neither it nor what else uses its buffers has another layout. */
static bool may_gain(const struct dl__policy_ask *ask)
{
    bool may = dl__options_get()->policy_test != 0;

    for (size_t b = 0; b < ask->buffer_count; b++)
        may |= ask->buffers[b]->group != NULL;
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        may |= ask->tile[c] > 0 && ask->estimate.of[c].verdict != DL__NEVER;
    return may;
}

bool dl__choice_make(struct dl__kernel *kernel, struct dl__queue *queue,
                     const struct dl__ndrange *range, struct dl_layout *layout,
                     struct dl__choice *choice)
{
    struct dl__device *device = dl__context_device(queue->object.context, queue->device);
    struct dl__repeat *known = range->known;

    choice->context = queue->object.context;
    if (!device || range->work_dim < 1 || range->work_dim > 3 || !range->global)
        return false;
    choice->ask = known ? &known->ask : &choice->own;
    if (known && known->policy && known->rows_made == kernel->launched.rows_made) {
        choice->policy = known->policy;
    } else {
        if (known) {
            dl__choice_forget(&known->ask);
            known->ask.buffers = known->buffers;
        }
        if (!describe(kernel, queue, device, range, choice))
            return false;
        if (known) {
            known->policy = choice->policy;
            known->rows_made = kernel->launched.rows_made;
        }
        /* Seen once, and nothing to be gained: it need not be counted with others. */
        if (known && !known->seen && !may_gain(choice->ask)) {
            known->seen = true;
            choice->why_not = dl__why_text(DL__WHY_NOT_FASTER);
            return false;
        }
    }
    choice->ask->timed = queue->profiled;
    choice->ask->lasts = known != NULL;
    choice->ask->values = dl__arg_values(kernel, range->mems);
    if (!ask_whether_ready(kernel, queue, device, range, choice))
        return false;
    dl__choice_decide(choice);
    if (choice->answer.candidate == DL__NATIVE)
        return false;
    dl__choice_layout(choice->answer.candidate, kernel, queue, range, device, layout);
    return layout->tile_structs > 0 && layout->kind != DL_LAYOUT_AOS;
}
