/* SPDX-License-Identifier: MIT */
/* A launch as the policy sees it. */
#include "choose.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/programs/serve.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/residence.h"
#include "bind.h"
#include "coalesced.h"
#include "counted.h"
#include "explore.h"
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

/* What the policy has of the kernel; NULL: out of memory. */
static DL__WITH_LOCK struct dl__policy_kernel *
choice_kernel(struct dl__kernel *kernel, cl_device_id device, struct dl__policy *policy)
{
    struct dl__launched_on *on = dl__launched_on(kernel, device);
    unsigned char text[DL__DIGEST_BYTES];
    _Static_assert(sizeof text == DL__TEXT_BYTES, "as the policy compares them");

    if (on && !on->policy_kernel) {
        dl__rewrite_hash(kernel->rewrite, text);
        on->policy_kernel = dl__policy_kernel_of(policy, text, kernel->name);
        kernel->launched.whole |= dl__policy_wants_whole(on->policy_kernel);
    }
    return on ? on->policy_kernel : NULL;
}

/* As a number. */
static uint64_t group_items(const struct dl__ndrange *range)
{
    uint64_t items = 0;

    for (cl_uint d = 0; range->local && d < range->work_dim; d++)
        items = items << 20 | (range->local[d] & 0xfffff);
    return items;
}

/* What is to be had of two things, of which both are needed. */
static enum dl__ready both(enum dl__ready one, enum dl__ready other)
{
    return one == DL__NOT_POSSIBLE || other == DL__NOT_POSSIBLE ? DL__NOT_POSSIBLE
           : one == DL__READY                                   ? other
                                                                : one;
}

/* Whether nothing that the launch needs on a candidate has to be compiled; what has is
 * asked for.
 *   explorable  out: nothing that exploring it needs; the host converts a part */
static DL__WITH_LOCK enum dl__ready how_far(const struct dl__ndrange *range,
                                            struct dl_layout layout, bool *explorable)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__queue *queue = range->queue;
    struct dl__shadow_knobs knobs = {.arrays = layout.kind == DL_LAYOUT_SOA};
    struct dl__shadow_knobs telling = {.printing = true};
    enum dl__ready moves = DL__READY, texts = DL__READY;

    *explorable = true;
    if (layout.kind == DL_LAYOUT_AOS)
        return !dl__coalesced_may(range, explorable) ? DL__NOT_POSSIBLE
               : *explorable                         ? DL__READY
                                                     : DL__BUILDING;
    dl_layout_knobs(&layout, &knobs.layout);
    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        const struct dl_leaf_table *leaves = dl__kernel_leaves(kernel, b);
        struct dl__mem *mem = dl__bound_buffer(range, b);
        struct dl__move move = {.mem = mem, .layout = layout, .leaves = leaves};

        if (!mem)
            continue;
        move.structs = mem->bytes / leaves->struct_bytes;
        /* As bind.c has them. */
        knobs.index_64 |= dl_annotate_needs_index_64(leaves, mem->bytes);
        knobs.arrays = knobs.arrays && mem->bytes % leaves->struct_bytes == 0 &&
                       range->mems[kernel->note->buffers[b].arg_index] == mem;
        if (layout.kind == DL_LAYOUT_GRID || kernel->note->buffers[b].extent_count)
            move.layout = dl__grids_bound(range, b, &layout);
        if (move.layout.kind == DL_LAYOUT_AOS)
            continue;
        if (leaves->arrays && (layout.kind != DL_LAYOUT_ASTA || leaves->leaf_count < 2))
            continue;
        moves = both(moves, dl__move_ask(&move, queue));
    }
    if (kernel->note->tells)
        texts = dl__shadow_ask(kernel, queue->device, &telling);
    texts = both(dl__shadow_ask(kernel, queue->device, &knobs), texts);
    *explorable =
        texts == DL__READY && (moves == DL__READY || !range->choice->ask->explored_whole);
    return both(texts, moves);
}

/* Where launches come fast, few of them ask for what is being compiled. */
enum { ASKED_OFTEN = 64, ASKED_EVERY = 8 };

/* Which candidates could run now; what it is not worth it for is not asked for. The less
 * promising are not built before the others. False: out of memory. */
static DL__WITH_LOCK bool ask_whether_ready(struct dl__device *device,
                                            const struct dl__ndrange *range)
{
    struct dl__repeat *known = range->known;
    struct dl__launched_on *on = dl__launched_on(range->kernel, range->queue->device);
    struct dl__policy_ask *ask = range->choice->ask;
    unsigned wanted, later;
    bool building = false;

    if (!on || !dl__choice_asks_for(range->choice, &wanted, &later))
        return false;
    ask->asked_for = wanted | later;
    memset(ask->ready, 0, sizeof ask->ready);
    memset(ask->explorable, 0, sizeof ask->explorable);
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
        bool explorable = true;

        if (!((i == c ? wanted : later) >> c & 1))
            continue;
        if (!(on->ready >> c & 1)) {
            dl__choice_layout((enum dl__candidate_id)c, range->kernel, range, device,
                              &layout);
            if (layout.tile_structs == 0 || (i != c && building))
                continue;
            if (!dl__options_get()->policy_test)
                ready = how_far(range, layout, &explorable);
            building |= ready == DL__BUILDING;
        }
        ask->explorable[c] = explorable;
        if (ready != DL__READY)
            continue;
        on->ready |= 1u << c;
        ask->ready[c] = true;
    }
    return true;
}

/* ---- what a launch is like ---- */

/* The launch's own buffers. False: it has none. */
static DL__WITH_LOCK bool describe_own(const struct dl__ndrange *range)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__policy_ask *ask = range->choice->ask;
    size_t count = kernel->note->buffer_count;

    if (!ask->buffers)
        ask->buffers = calloc(count, sizeof(struct dl__policy_buffer *));
    if (!ask->buffers)
        return false;
    ask->buffer_count = 0;
    for (size_t b = 0; b < count; b++) {
        struct dl__mem *mem = dl__bound_buffer(range, b);
        struct dl__policy_buffer *buffer = mem ? dl__policy_buffer_of(mem) : NULL;
        bool there = false;

        if (mem && !buffer)
            return false;
        if (!mem)
            continue;
        for (size_t a = 0; a < ask->buffer_count; a++)
            there |= ask->buffers[a] == buffer;
        if (!there)
            ask->buffers[ask->buffer_count++] = buffer;
    }
    return ask->buffer_count > 0;
}

/* What others of its size have, too. False: out of memory. */
static DL__WITH_LOCK bool describe_size(struct dl__device *device,
                                        const struct dl__ndrange *range)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__choice *choice = range->choice;
    size_t count;
    struct dl__estimated_buffer *estimated = dl__estimated_buffers(range, &count, NULL);
    struct dl__policy_ask *ask = choice->ask;

    if (!estimated)
        return false;
    for (size_t b = 0; b < count; b++)
        if (estimated[b].structs > ask->structs)
            ask->structs = estimated[b].structs;
    ask->work = dl__launch_work(range);
    ask->group_items = group_items(range);
    ask->annotated = !kernel->note->detected;
    ask->exact = dl__options_get()->exact && !ask->annotated &&
                 (kernel->note->contractable || is_relaxed(kernel->rewrite));
    dl__estimate_launch(&choice->policy->rates, estimated, count, ask->work,
                        &ask->estimate);
    for (int c = DL__NATIVE + 1; c < DL__CANDIDATES; c++) {
        struct dl_layout layout;

        dl__choice_layout((enum dl__candidate_id)c, kernel, range, device, &layout);
        ask->tile[c] = layout.tile_structs;
    }
    dl__explore_price(range, &choice->policy->rates, ask);
    free(estimated);
    return true;
}

/* Describes the launch to the policy. False: it can't be. */
static DL__WITH_LOCK bool describe(struct dl__device *device,
                                   const struct dl__ndrange *range)
{
    struct dl__choice *choice = range->choice;
    const struct dl__repeat *alike = dl__repeat_alike(range);
    struct dl__policy_buffer **buffers = choice->ask->buffers;

    choice->policy =
        alike ? alike->policy
              : dl__policy_of(device->id, !(device->type & CL_DEVICE_TYPE_GPU));
    if (!choice->policy || !dl__plan_widths(range))
        return false;
    *choice->ask = alike ? alike->ask : (struct dl__policy_ask){0};
    choice->ask->buffers = buffers;
    choice->ask->lease = choice->ask->taken = 0;
    choice->ask->leased_link = NULL;
    /* What is known of the kernel says whether parts of its launches are explored. */
    choice->ask->kernel = choice_kernel(range->kernel, device->id, choice->policy);
    return choice->ask->kernel && (alike || describe_size(device, range)) &&
           describe_own(range);
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

bool dl__choice_make(const struct dl__ndrange *range, struct dl_layout *layout)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__queue *queue = range->queue;
    struct dl__choice *choice = range->choice;
    struct dl__device *device = dl__context_device(queue->object.context, queue->device);
    struct dl__repeat *known = range->known;

    choice->context = queue->object.context;
    if (!device || !dl__ndrange_is_valid(range))
        return false;
    choice->ask = known ? &known->ask : &choice->own;
    if (known && known->policy && known->rows_made == kernel->launched.rows_made) {
        choice->policy = known->policy;
    } else {
        if (known) {
            dl__choice_forget(&known->ask);
            known->ask.buffers = known->buffers;
        }
        if (!describe(device, range))
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
    if (!ask_whether_ready(device, range))
        return false;
    dl__choice_decide(choice);
    if (choice->answer.candidate == DL__NATIVE)
        return false;
    dl__choice_layout(choice->answer.candidate, kernel, range, device, layout);
    return layout->tile_structs > 0 && layout->kind != DL_LAYOUT_AOS;
}

/* What a kernel's launches will most likely want, asked of the builder before the first
 * of them. */

/* A size like many: what is expected of a text hangs little on it. */
enum { STRUCTS_EXPECTED = 1 << 20 };

/* What the text says of its launches. False: they have to be seen first. */
static DL__WITH_LOCK bool expect(const struct dl__kernel *kernel,
                                 const struct dl_rates *rates, struct dl__estimate *out)
{
    struct dl__estimated_buffer *buffers =
        calloc(kernel->note->buffer_count, sizeof *buffers);
    bool known = buffers != NULL;

    for (size_t b = 0; known && b < kernel->note->buffer_count; b++) {
        known = !dl__leaves_are_open(&kernel->note->buffers[b]);
        if (known)
            buffers[b] = dl__estimated_buffer(kernel, b, STRUCTS_EXPECTED);
    }
    if (known)
        dl__estimate_launch(rates, buffers, kernel->note->buffer_count, STRUCTS_EXPECTED,
                            out);
    free(buffers);
    return known;
}

static DL__WITH_LOCK void ask_ahead(struct dl__kernel *kernel, struct dl__device *device,
                                    enum dl__candidate_id candidate, bool loads)
{
    struct dl__shadow_knobs knobs = {0}, telling = {.printing = true};
    struct dl_layout layout;

    dl__choice_layout(candidate, kernel, NULL, device, &layout);
    if (layout.tile_structs == 0)
        return;
    dl_layout_knobs(&layout, &knobs.layout);
    knobs.arrays = layout.kind == DL_LAYOUT_SOA;
    /* What an earlier run gained by is loaded before launches pile up, for which some
     * drivers make loading wait. */
    if (loads && !dl__transformer_get())
        dl__shadow_ask(kernel, device->id, &knobs);
    else
        dl__shadow_ask_ahead(kernel, device, &knobs);
    if (kernel->note->tells)
        dl__shadow_ask_ahead(kernel, device, &telling);
}

/* True when another object of the kernel has asked: programs may make one for each
 * launch. Of more than 64 kernels two may be taken for one; their launches ask, too. */
static DL__WITH_LOCK bool was_expected(uint64_t *expected, uint64_t number)
{
    uint64_t bit = UINT64_C(1) << number % 64;
    bool was = *expected & bit;

    *expected |= bit;
    return was;
}

/* Of several devices the launches will say which. */
static DL__WITH_LOCK bool is_expecting(const struct dl__rewrite *rewrite)
{
    return dl__policy_is_on() && !dl__options_get()->policy_test && rewrite &&
           rewrite->device_count == 1;
}

void dl__choice_expect_unread(struct dl__kernel *kernel)
{
    struct dl__rewrite *rewrite = kernel->rewrite;
    uint64_t number = 0;

    for (const char *at = kernel->name; at && *at; at++)
        number = 31 * number + (unsigned char)*at;
    if (kernel->name && is_expecting(rewrite) &&
        !was_expected(&rewrite->expected_unread, number))
        dl__expect_ask(rewrite, rewrite->devices[0], kernel->name);
}

static DL__UNCHECKED void expect_in_builder(struct dl__kernel *kernel)
{
    dl__choice_expect(kernel);
}

__attribute__((constructor)) static void begin(void)
{
    dl__jobs_expect_by(expect_in_builder);
}

void dl__choice_expect(struct dl__kernel *kernel)
{
    struct dl__rewrite *rewrite = kernel->rewrite;
    struct dl__estimate estimate;
    struct dl__device *device;
    struct dl__policy *policy;
    enum dl__candidate_id best;

    if (!is_expecting(rewrite) || dl__kernel_wants_soa(kernel) ||
        was_expected(&rewrite->expected, (uintptr_t)kernel->note / sizeof *kernel->note))
        return;
    device = dl__context_device(kernel->object.context, rewrite->devices[0]);
    policy =
        device ? dl__policy_of(device->id, !(device->type & CL_DEVICE_TYPE_GPU)) : NULL;
    if (!policy || !expect(kernel, &policy->rates, &estimate))
        return;
    best = dl__policy_best(choice_kernel(kernel, device->id, policy));
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        if (estimate.of[i].verdict == DL__CLEAR || i == (int)best)
            ask_ahead(kernel, device, (enum dl__candidate_id)i, i == (int)best);
    }
}
