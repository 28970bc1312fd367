/* SPDX-License-Identifier: MIT */
/* The way of a launch: ask the policy, decide what it needs (bind.c), move the buffers,
 * launch the shadow kernel; or the program's own, with its buffers in AoS. */
#include "launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/looks.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/programs/serve.h"
#include "libdl_intercept/programs/shadow.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/reports/stats.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/trace/trace.h"
#include "bind.h"
#include "coalesced.h"
#include "compare.h"
#include "counted.h"
#include "explore.h"
#include "repeat.h"

/* ---- holding back ---- */

/* At most two parts may be pending, each of which is a launch, or several that take this
 * long together. */
#define PART_SECONDS 0.01
/* An expectation is no better than this, and twice as much after each wait that ran out.
 */
#define LEAST_SECONDS 0.005
/* Of a kernel's first launch: the driver may still have to compile the kernel. */
#define FIRST_SECONDS 0.2

enum { PARTS = 2, RAN_OUT_MAX = 3 };

struct part {
    cl_event last; /* NULL: it is open, or empty */
    double seconds;
};

/* Is kept with a queue. */
struct held {
    struct dl__kept kept;
    unsigned ran_out DL__UNDER_LOCK;         /* waits in a row that took too long */
    struct part parts[PARTS] DL__UNDER_LOCK; /* closed, the oldest first */
    unsigned count DL__UNDER_LOCK;
    double open_seconds DL__UNDER_LOCK; /* of launches behind those */
    double longest DL__UNDER_LOCK;      /* wait that has ended */
};

static DL__WITH_LOCK void drop_oldest(struct dl__queue *queue, struct held *held)
{
    struct dl__context *context = queue->object.context;
    cl_uint before = dl__context_count_begin(context);

    dl__next.clReleaseEvent(held->parts[0].last);
    dl__context_count_end(context, before);
    memmove(held->parts, held->parts + 1, --held->count * sizeof *held->parts);
}

static DL__WITH_LOCK void end_held(void *record, void *kept)
{
    struct held *held = kept;

    while (held->count)
        drop_oldest(record, held);
}

static const struct dl__keeper keeper = {.bytes = sizeof(struct held), .end = end_held};

void dl__hold_note(struct dl__queue *queue, struct dl__kernel *kernel, double seconds)
{
    struct held *held = dl__kept_get(queue, &keeper);
    cl_event last = NULL;
    cl_uint before;
    double behind;

    if (!held || held->ran_out >= RAN_OUT_MAX ||
        dl__cancel_possible(queue->object.context))
        return;
    if (!kernel->launched.noted && seconds < FIRST_SECONDS)
        seconds = FIRST_SECONDS;
    kernel->launched.noted = true;
    held->open_seconds += seconds;
    if (seconds > 0 && held->open_seconds < PART_SECONDS)
        return;
    queue->object.context->counts = true; /* a text may still be in the builder's hands */
    before = dl__context_count_begin(queue->object.context);
    dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL, &last);
    dl__context_count_end(queue->object.context, before);
    if (!last)
        return;
    while (held->count == PARTS) {
        /* The next part can't end before this one does. */
        behind = held->parts[0].seconds;
        drop_oldest(queue, held);
        held->parts[0].seconds += behind;
    }
    held->parts[held->count++] =
        (struct part){.last = last, .seconds = held->open_seconds};
    held->open_seconds = 0;
}

/* True while a region of one of the context's buffers is mapped: a kernel may look at
 * what the host writes there. */
static DL__WITH_LOCK bool is_any_mapped(const struct dl__context *context)
{
    for (const struct dl__mem *mem = context->used; mem; mem = mem->order.next_used)
        if (atomic_load(&mem->maps))
            return true;
    return false;
}

/* The end of what is to be waited for, retained; NULL: there is nothing, or nothing may
 * be waited for.
 *   limit_seconds  out */
static cl_event pending(struct dl__queue *queue, double *limit_seconds)
{
    struct dl__context *context = queue->object.context;
    struct held *held;
    cl_event last = NULL;
    double expected = 0, seconds = LEAST_SECONDS;
    unsigned ran_out = 0;

    dl__context_lock_quietly(context);
    held = dl__kept_find(queue, &keeper);
    while (held && held->count && dl__event_is_done(held->parts[0].last))
        drop_oldest(queue, held);
    if (held && held->count == PARTS && held->ran_out < RAN_OUT_MAX &&
        !dl__cancel_possible(context) && !dl__callouts_run() &&
        !dl__callouts_share_memory() && !is_any_mapped(context))
        last = dl__event_share(held->parts[0].last);
    for (unsigned p = 0; last && p < held->count; p++)
        expected += held->parts[p].seconds;
    if (last && held->longest > seconds)
        seconds = held->longest;
    if (last)
        ran_out = held->ran_out;
    dl__context_unlock(context);
    *limit_seconds = 2 * (expected > seconds ? expected : seconds) * (1 << ran_out);
    return last;
}

/* Before the next launch of such a group, without the lock. Returns the seconds that it
 * waited. */
static double hold_back(struct dl__queue *queue)
{
    struct dl__context *context = queue->object.context;
    double begun, limit, waited;
    cl_event last = pending(queue, &limit);
    struct held *held;
    bool ended;

    if (!last)
        return 0;
    begun = dl__clock_seconds();
    ended = dl__queue_flush(queue->object.handle) && dl__event_ends_within(last, limit);
    dl__next.clReleaseEvent(last);
    waited = dl__clock_seconds() - begun;
    dl__context_lock_quietly(context);
    held = dl__kept_find(queue, &keeper);
    if (held)
        held->ran_out = ended ? 0 : held->ran_out + 1;
    if (held && ended && waited > held->longest)
        held->longest = waited;
    dl__context_unlock(context);
    return waited;
}

/* ---- a launch as the policy sees it ---- */

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

/* As a number. */
static uint64_t group_items(const struct dl__ndrange *range)
{
    uint64_t items = 0;

    for (cl_uint d = 0; range->local && d < range->work_dim; d++)
        items = items << 20 | (range->local[d] & 0xfffff);
    return items;
}

/* Returns how far two things are of which both are needed. */
static enum dl__ready both(enum dl__ready one, enum dl__ready other)
{
    return one == DL__NOT_POSSIBLE || other == DL__NOT_POSSIBLE ? DL__NOT_POSSIBLE
           : one == DL__READY                                   ? other
                                                                : one;
}

/* Each size of groups is another launch. */
enum { FIRST_GROUPS_MAX = 4 };

/* True unless the builder is compiling the text for the launch's groups, which it is
 * asked to. */
static DL__WITH_LOCK bool first_is_over(const struct dl__ndrange *range,
                                        enum dl__candidate_id candidate,
                                        struct dl__shadow_knobs *knobs)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__launched_on *on = dl__launched_on(kernel, range->queue->device);
    uint64_t group = group_items(range);
    struct dl__first_launch launch;
    struct dl__first *first;

    if (on && !on->first)
        on->first = calloc(DL__CANDIDATES, sizeof *on->first);
    if (!on || !on->first || kernel->note->once || kernel->svm_indirect)
        return true;
    first = &on->first[candidate];
    if (first->asked && first->group != group && first->asked < FIRST_GROUPS_MAX)
        *first = (struct dl__first){.asked = first->asked};
    if ((first->asked && first->group != group) || first->compiled ||
        !dl__explore_first(range, &launch))
        return true;
    first->asked += first->ticket.board == 0 && !first->ticket.over;
    first->group = group;
    if (dl__first_ask(&launch, range->queue->device, knobs, &first->ticket,
                      &first->compiled) == DL__BUILDING)
        return false;
    if (first->compiled) {
        kernel->launched.rows_made++; /* its price is another now */
        dl__log(DL__LOG_DEBUG, "kernel '%s': %s is compiled for its groups", kernel->name,
                dl__candidate_get(candidate)->name);
    }
    return true;
}

/* Whether nothing that the launch needs on a candidate has to be compiled; what has is
 * asked for.
 *   explorable  out: nothing that exploring it needs; the host converts a part */
static DL__WITH_LOCK enum dl__ready how_far(const struct dl__ndrange *range,
                                            enum dl__candidate_id candidate,
                                            struct dl_layout layout, bool *explorable)
{
    struct dl__kernel *kernel = range->kernel;
    struct dl__queue *queue = range->queue;
    struct dl__shadow_knobs knobs = {.arrays = layout.kind == DL_LAYOUT_SOA};
    enum dl__ready moves = DL__READY, texts = DL__READY;
    bool compiled = true;

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
    if (kernel->note->tells) {
        struct dl__shadow_knobs telling = {.printing = true};

        texts = dl__shadow_ask(kernel, queue->device, &telling);
    }
    texts = both(dl__shadow_ask(kernel, queue->device, &knobs), texts);
    if (range->choice->policy->rates.first_us > 0 && texts == DL__READY)
        compiled = first_is_over(range, candidate, &knobs);
    if (kernel->launched.twice) {
        struct dl__shadow_knobs own = {.own = true};

        compiled = compiled &&
                   dl__shadow_ask(kernel, queue->device, &own) != DL__BUILDING &&
                   first_is_over(range, DL__NATIVE, &own);
    }
    *explorable = texts == DL__READY && compiled &&
                  (moves == DL__READY ||
                   (moves == DL__BUILDING && !range->choice->ask->explored_whole));
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
    ask->ready[DL__NATIVE] = true;
    if ((wanted | later) & ~on->ready && known && ++known->asked > ASKED_OFTEN &&
        known->asked % ASKED_EVERY != 0) {
        wanted &= on->ready;
        later &= on->ready;
    } else {
        ask->explorable = 0;
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
                ready = how_far(range, (enum dl__candidate_id)c, layout, &explorable);
            building |= ready == DL__BUILDING;
        }
        ask->explorable |= (unsigned char)(explorable << c);
        if (ready != DL__READY)
            continue;
        /* A candidate that is not compiled yet is asked for again. */
        if (explorable)
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

/* Describes what all launches of this size have in common. False: out of memory. */
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
    ask->strict = dl__options_get()->exact;
    ask->exact = ask->strict && !ask->annotated &&
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
    choice->ask->until = 0;
    /* The policy's record of the kernel says whether parts of its launches are explored.
     */
    choice->ask->kernel = dl__kernel_policy(range->kernel, device->id, choice->policy);
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

/* True when a rewritten kernel is to run, on `layout`. The choice is to be ended in any
 * case. */
static DL__WITH_LOCK bool choice_make(const struct dl__ndrange *range,
                                      struct dl_layout *layout)
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
        if (known)
            known->ask.buffers = known->buffers;
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
    choice->ask->values = dl__arg_values(kernel, range->mems);
    if (!ask_whether_ready(device, range))
        return false;
    dl__choice_decide(choice);
    if (choice->answer.candidate == DL__NATIVE)
        return false;
    dl__choice_layout(choice->answer.candidate, kernel, range, device, layout);
    return layout->tile_structs > 0 && layout->kind != DL_LAYOUT_AOS;
}

/* Asks the builder for the texts that a kernel's launches will most likely need, before
 * the first of them. */

/* A size like many: what is expected of a text hangs little on it. */
enum { STRUCTS_EXPECTED = 1 << 20 };

/* Estimates its launches by the text. False: they have to be seen first. */
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
    /* A candidate that an earlier run gained from is loaded before launches pile up,
     * since some drivers load only after these. */
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
    best = dl__policy_best(dl__kernel_policy(kernel, device->id, policy));
    for (int i = DL__NATIVE + 1; i < DL__CANDIDATES; i++) {
        if (estimate.of[i].verdict == DL__CLEAR || i == (int)best)
            ask_ahead(kernel, device, (enum dl__candidate_id)i, i == (int)best);
    }
}

/* ---- the kernel to launch ---- */

/* A copy of DL's own stands in for some buffers, and a buffer for a sub-buffer. A shadow
 * gets its argument anew at the next launch, the program's kernel right after this one:
 * `back`. */
static DL__WITH_LOCK cl_int stand_ins_set(struct dl__kernel *kernel,
                                          const struct dl__plan *plan, bool back)
{
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < kernel->note->buffer_count && err == CL_SUCCESS; b++) {
        const struct dl__binding *binding = &plan->bindings[b];
        cl_mem tiles;

        if (!dl__binding_is_moved(binding) ||
            dl__part_argument(binding) == dl__binding_handle(binding))
            continue;
        if (back) {
            dl__argument_back(kernel, binding->note->arg_index);
            continue;
        }
        tiles = dl__part_argument(binding);
        err = dl__next.clSetKernelArg(plan->handle, binding->note->arg_index,
                                      sizeof tiles, &tiles);
        if (plan->shadow)
            plan->shadow->args[binding->note->arg_index] = (struct dl__shadow_arg){0};
    }
    return err;
}

/* Has the plan's buffers in its layout, and those of all other arguments in the
 * program's. */
static DL__WITH_LOCK cl_int buffers_move(const struct dl__ndrange *range,
                                         const struct dl__plan *plan,
                                         struct dl__wait *command)
{
    const struct dl__binding *bindings = plan->bindings;
    cl_int err = CL_SUCCESS;

    for (size_t b = 0; b < range->kernel->note->buffer_count && err == CL_SUCCESS; b++) {
        if (!dl__binding_moves(bindings, b))
            continue;
        if (bindings[b].move.needed)
            dl__stats_buffer(bindings[b].mem->id, bindings[b].note->name, true);
        err = dl__move_enqueue(&plan->bindings[b].move, range->queue);
    }
    return err == CL_SUCCESS ? dl__args_settle(range, plan, command) : err;
}

/* Up to this number of arguments need no memory of their own. */
enum { ARGS_FEW = 16 };

/* ---- the program's own kernel ---- */

/* Whether the launch is compared, by a kernel with these knobs. False: it runs as
 * written, or waits for what comes before it. */
static DL__WITH_LOCK bool check_begin(struct dl__ndrange *range,
                                      const struct dl__shadow_knobs *knobs,
                                      struct dl__check *check)
{
    dl__trace_own_begin();
    *check = dl__check_begin(range, knobs);
    dl__trace_own_end();
    range->wants_wait = check->when == DL__CHECK_WAIT;
    if (check->when == DL__CHECK_AS_WRITTEN && check->size)
        range->choice->why_not = check->size->why;
    return check->when == DL__CHECK_NOT || check->when == DL__CHECK_NOW;
}

/* Unless it succeeds, or the launch waits for what comes before it, the program's own
 * kernel is to run. */
static DL__WITH_LOCK cl_int launch_coalesced(struct dl__ndrange *range)
{
    struct dl__shadow_kernel *shadow = dl__coalesced_begin(range);
    struct dl__check check = {.when = DL__CHECK_NOT};
    bool compared;
    cl_int err;

    if (!shadow)
        return CL_INVALID_KERNEL;
    if (!check_begin(range, range->choice->asked ? &shadow->shadow->knobs : NULL, &check))
        return CL_INVALID_KERNEL;
    compared = check.compare != NULL;
    err = dl__launch_on_aos(shadow->handle, range, true);
    dl__coalesced_end(range, err);
    dl__trace_own_begin();
    dl__check_end(range, &check, err);
    dl__trace_own_end();
    if (err == CL_SUCCESS && range->known && range->choice->asked && !compared)
        dl__repeat_keep(range, NULL, shadow);
    return err;
}

/* ---- the kernel to launch ---- */

/* Moves the buffers and launches what the plan says, compared or not. */
static DL__WITH_LOCK cl_int launch_planned(const struct dl__ndrange *range,
                                           const struct dl__plan *plan,
                                           struct dl__check *check)
{
    struct dl__queue *queue = range->queue;
    struct dl__kernel *kernel = range->kernel;
    const struct dl__binding *bindings = plan->bindings;
    size_t count = kernel->note->buffer_count;
    struct dl__wait command;
    bool compared = check->compare != NULL;
    cl_int err;

    dl__wait_begin_on(&command, queue->object.handle, range->wait_count, range->wait);
    err = buffers_move(range, plan, &command);
    if (err == CL_SUCCESS && plan->shadow && plan->knobs.layout.text[0])
        err = dl__hidden_args_set(kernel, plan);
    if (err == CL_SUCCESS)
        err = stand_ins_set(kernel, plan, false);
    if (plan->shadow)
        dl__trace_launch_in(bindings[0].move.layout);
    if (err == CL_SUCCESS)
        err = dl__launch_noted(plan->handle, range, &command, plan->shadow != NULL);
    dl__trace_own_begin();
    dl__check_end(range, check, err);
    dl__trace_own_end();
    if (!plan->shadow)
        stand_ins_set(kernel, plan, true);
    for (size_t b = 0; b < count && err == CL_SUCCESS; b++) {
        if (bindings[b].mem)
            dl__stats_binding(kernel->name, bindings[b].note->arg_index,
                              bindings[b].note->name, bindings[b].move.layout,
                              bindings[b].move.structs);
    }
    if (err == CL_SUCCESS && range->known && plan->shadow && !compared)
        dl__repeat_keep(range, plan, plan->shadow);
    dl__wait_end(&command);
    return err;
}

static DL__WITH_LOCK void say_once(struct dl__kernel *kernel, const struct dl__plan *plan,
                                   const char *end)
{
    char text[256];

    if (!plan->reason || plan->is_known || plan->reason == kernel->launched.remarked)
        return;
    kernel->launched.remarked = plan->reason;
    snprintf(text, sizeof text, "%s; %s", plan->reason, end);
    dl__plan_remark(kernel, plan->culprit, text);
}

/* A kernel that reads discrete arrays would take anything else for them: where it can't
 * be given them, the launch fails. */
static DL__WITH_LOCK cl_int refuse_launch(struct dl__kernel *kernel,
                                          const struct dl__plan *plan)
{
    say_once(kernel, plan, "the kernel reads discrete arrays and is not launched");
    if (!kernel->launched.refusal_said)
        dl__log(DL__LOG_ERROR,
                "kernel '%s' reads discrete arrays (SoA) that it can't be given: its "
                "launches fail",
                kernel->name);
    kernel->launched.refusal_said = true;
    return CL_OUT_OF_RESOURCES;
}

/* True when the driver will refuse the launch, and knows best how. */
static bool driver_refuses(const struct dl__ndrange *range)
{
    const struct dl__kernel *kernel = range->kernel;

    if (!dl__ndrange_is_valid(range))
        return true;
    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        unsigned index = kernel->note->buffers[b].arg_index;

        if (index >= kernel->arg_count || kernel->args[index].serial == 0)
            return true;
    }
    return false;
}

/* Launches in a row that the driver may refuse a rewritten kernel. */
enum { FAILURES_MAX = 3 };

/* A transformed launch was made, or could not be: `err`. True: once too often, and it is
 * given up on the device. */
static DL__WITH_LOCK bool launch_failed(struct dl__kernel *kernel, cl_device_id device,
                                        cl_int err)
{
    struct dl__launched_on *on = dl__launched_on(kernel, device);

    if (on)
        on->failures = err == CL_SUCCESS ? 0 : on->failures + 1;
    if (!on || on->failures < FAILURES_MAX)
        return false;
    on->given_up = true;
    return true;
}

/* A launch that failed once may succeed the next time; but the buffers must not move to
 * and fro at each launch. */
static DL__WITH_LOCK void count_failure(struct dl__kernel *kernel, cl_device_id device,
                                        cl_int err)
{
    if (launch_failed(kernel, device, err))
        dl__log(DL__LOG_WARNING,
                "kernel '%s': the rewritten kernel can't be launched (%d); it runs as "
                "written",
                kernel->name, err);
}

/* Plans a launch in tiles, to be compared or not. False: it runs as written, or waits for
 * what comes before it. */
static DL__WITH_LOCK bool prepare_shadow(struct dl__ndrange *range,
                                         const struct dl_layout *layout,
                                         struct dl__plan *plan, struct dl__check *check)
{
    bool prepared = dl__plan_prepare(range, layout, plan);

    if (!prepared)
        say_once(range->kernel, plan,
                 dl__kernel_wants_soa(range->kernel) ? "its rewritten form is not used"
                                                     : "the kernel runs as written");
    if (!prepared)
        range->choice->why_not =
            plan->building ? dl__why_text(DL__WHY_BUILDING) : plan->reason;
    if (prepared && plan->shadow && !check_begin(range, &plan->knobs, check))
        return false;
    if (prepared && check->moved && !dl__plan_prepare(range, layout, plan)) {
        dl__check_end(range, check, CL_OUT_OF_RESOURCES);
        prepared = false;
    }
    return prepared;
}

/* Drivers take a local size of 0 for whatever they like, or die of it: what a rewritten
 * kernel would make of that nobody knows. */
static bool has_empty_groups(const struct dl__ndrange *range)
{
    for (cl_uint d = 0; range->local && d < range->work_dim && d < 3; d++)
        if (range->local[d] == 0)
            return true;
    return false;
}

/* True when the launch may be cancelled, or follows some that were: it runs as written.
 */
static DL__WITH_LOCK bool gives_way(struct dl__kernel *kernel, struct dl__choice *choice)
{
    struct dl__context *context = kernel->object.context;

    if (!dl__cancel_possible(context) && !dl__cancel_waits(context))
        return false;
    choice->why_not = dl__why_text(DL__WHY_USER_EVENT);
    if (!dl__cancel_possible(context))
        return true;
    if (!kernel->launched.cancel_remarked)
        dl__plan_remark(
            kernel, &kernel->note->buffers[0],
            "a user event may hold back or cancel the launch; the kernel runs "
            "as written meanwhile");
    kernel->launched.cancel_remarked = true;
    return true;
}

/* True when one of its buffers can't be converted now, as one that the host has mapped:
 * it runs as written, and is neither explored nor counted. */
static DL__WITH_LOCK bool is_refused(const struct dl__ndrange *range)
{
    const char **why = &range->choice->why_not;

    for (size_t b = 0; b < range->kernel->note->buffer_count && !*why; b++) {
        const struct dl__mem *mem = dl__bound_buffer(range, b);

        *why = mem ? dl__mem_refusal(mem) : NULL;
    }
    return *why != NULL;
}

/* True when it shall; *layout is what its buffers shall have. */
static DL__WITH_LOCK bool plan_shadow(const struct dl__ndrange *range,
                                      struct dl_layout *layout)
{
    struct dl__kernel *kernel = range->kernel;

    if (!dl__plan_may_shadow(kernel, range->queue))
        return false;
    if (!dl__policy_is_on() || dl__kernel_wants_soa(kernel))
        return dl__layout_by_options(kernel, range->queue, layout) &&
               !gives_way(kernel, range->choice) &&
               (layout->kind != DL_LAYOUT_GRID || dl__grids_choose(range, layout));
    return !gives_way(kernel, range->choice) && !is_refused(range) &&
           choice_make(range, layout);
}

/* The policy has asked for the launch to be explored. True: it has been, or waits for
 * what comes before it. */
static DL__WITH_LOCK bool explore(cl_kernel handle, struct dl__ndrange *range,
                                  cl_int *err)
{
    if (!range->choice->answer.explore)
        return false;
    range->wants_wait = !range->waited && !range->wait_failed;
    return range->wants_wait || dl__explore_asked(handle, range, err);
}

static DL__WITH_LOCK cl_int launch_locked(cl_kernel handle, struct dl__ndrange *range)
{
    struct dl__queue *queue = range->queue;
    struct dl__kernel *kernel = range->kernel;
    struct dl__check check = {.when = DL__CHECK_NOT};
    struct dl__binding *own = NULL;
    struct dl__plan plan = {0};
    struct dl_layout layout = {0};
    cl_int err = CL_SUCCESS, shadow_err = CL_SUCCESS;
    bool prepared = false, soa;

    if (!kernel || !kernel->note || kernel->object.context != queue->object.context) {
        err = dl__launch_on_aos(handle, range, false);
        if (err == CL_SUCCESS && range->known)
            dl__repeat_keep(range, NULL, NULL);
        return err;
    }
    soa = dl__kernel_wants_soa(kernel);
    if (!soa && !kernel->note->refused && has_empty_groups(range))
        return dl__launch_on_aos(handle, range, false);
    if (kernel->note->refused)
        return refuse_launch(kernel, &plan);
    if (!range->known && !(own = calloc(kernel->note->buffer_count, sizeof *own)))
        return soa ? CL_OUT_OF_HOST_MEMORY : dl__launch_on_aos(handle, range, false);
    plan.bindings = range->known ? range->known->bindings : own;
    if (dl__options_get()->advise)
        dl__advise(range);
    else if (plan_shadow(range, &layout))
        prepared = !range->choice->answer.explore &&
                   prepare_shadow(range, &layout, &plan, &check);
    if (range->wants_wait || explore(handle, range, &err))
        goto out;
    if (!prepared && soa) {
        plan.handle = handle;
        prepared = !kernel->svm_indirect && !kernel->object.context->pinned &&
                   dl__plan_prepare(range, NULL, &plan);
        if (!prepared && !driver_refuses(range)) {
            err = refuse_launch(kernel, &plan);
            goto out;
        }
    }
    if (prepared) {
        err = launch_planned(range, &plan, &check);
        if (err == CL_SUCCESS)
            launch_failed(kernel, queue->device, err);
        if (err == CL_SUCCESS || (soa && !plan.shadow))
            goto out;
        shadow_err = err;
    }
    if (soa && shadow_err != CL_SUCCESS) {
        /* The shadow alone may be to blame. */
        dl__give_up_on(kernel, queue->device);
        err = launch_locked(handle, range);
        goto out;
    }
    err = prepared ? CL_OUT_OF_RESOURCES : launch_coalesced(range);
    if (err == CL_SUCCESS || range->wants_wait)
        goto out;
    err = dl__launch_on_aos(handle, range, false);
    if (shadow_err != CL_SUCCESS && err == CL_SUCCESS)
        count_failure(kernel, queue->device, shadow_err);
    else if (err == CL_SUCCESS && range->known)
        dl__repeat_keep(range, NULL, NULL);
out:
    free(own);
    return err;
}

/* The buffers of the launch that maps through a view may show, each once: before it, or
 * behind it. */
static DL__WITH_LOCK void tend_open_maps(struct dl__ndrange *range, bool behind)
{
    struct dl__queue *queue = range->queue;

    for (unsigned i = 0; i < range->kernel->arg_count; i++) {
        struct dl__mem *mem = dl__mem_root(range->mems[i]);

        if (!mem || mem->object.context != queue->object.context)
            continue;
        if (!behind)
            dl__view_give(mem, queue);
        else if (dl__arg_is_written(range->kernel, i))
            dl__view_renew(mem, queue, range->event != NULL, &range->shown);
    }
}

/* Notes what the next launch of the kernel is to wait for, while its group is explored.
 */
static DL__WITH_LOCK void hold(const struct dl__ndrange *range)
{
    bool held = range->choice->asked && range->choice->answer.hold;

    if (held)
        dl__hold_note(range->queue, range->kernel, range->choice->answer.seconds);
    if (atomic_exchange_explicit(&range->kernel->launched.held,
                                 held ? DL__HELD : DL__HELD_NOT,
                                 memory_order_relaxed) == DL__HELD &&
        !held)
        dl__copies_let_go(range->queue->object.context);
}

/* Gives the driver the program's own arguments again, before a launch, where it would not
 * have one. An error: the launch must fail. */
static DL__WITH_LOCK cl_int arguments_back(struct dl__kernel *kernel,
                                           struct dl__mem *const *mems)
{
    if (!kernel->launched.astray)
        return CL_SUCCESS;
    kernel->launched.astray = false;
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        if (mems[i])
            dl__argument_back(kernel, i);
    }
    return kernel->launched.astray ? CL_OUT_OF_RESOURCES : CL_SUCCESS;
}

/* Whatever it takes. Apart, so that the short way needs little of the stack. */
static DL__WITH_LOCK __attribute__((noinline)) cl_int
launch_long(struct dl__queue *queue, struct dl__kernel *kernel, cl_kernel handle,
            struct dl__ndrange *range)
{
    struct dl__mem *few[ARGS_FEW] = {NULL}, **mems = few;
    uint64_t handles = dl__handles_version();
    struct dl__choice choice = {0};
    bool is_own = kernel && kernel->object.context == queue->object.context,
         concerns = is_own && kernel->note;
    cl_int err;

    if (kernel && kernel->arg_count > ARGS_FEW)
        mems = calloc(kernel->arg_count, sizeof(struct dl__mem *));
    if (!mems)
        return CL_OUT_OF_HOST_MEMORY;
    range->queue = queue;
    range->kernel = kernel;
    range->mems = mems;
    range->choice = &choice;
    range->wants_wait = false;
    /* The records that are found now do not end before the launch is made. */
    if (kernel)
        dl__arg_mems(kernel, mems);
    if (is_own)
        range->known = dl__repeat_find(kernel, queue, range);
    if (range->known) {
        range->known->handles = handles;
        range->known->serial = kernel->serial;
        range->known->again.stands = false;
    }
    if (kernel && dl__views_exist(queue->object.context))
        tend_open_maps(range, false);
    err = kernel ? arguments_back(kernel, mems) : CL_SUCCESS;
    if (err == CL_SUCCESS)
        err = launch_locked(handle, range);
    if (concerns && err == CL_SUCCESS && !range->wants_wait)
        hold(range);
    dl__choice_end(&choice);
    if (kernel && err == CL_SUCCESS && !range->wants_wait &&
        dl__views_exist(queue->object.context))
        tend_open_maps(range, true);
    if (range->known)
        range->known->busy = false;
    range->known = NULL;
    if (mems != few)
        free(mems);
    return err;
}

/* A launch is explored or compared only if the commands before it end within this time.
 */
#define WAIT_SECONDS 1.0

/* At most this number of launches may be pending before DL has read their text; others
 * are held back. */
enum { UNREAD_MAX = 16 };

/* A launch in a context with annotations. */
static cl_int launch_in_order(struct dl__queue *queue, struct dl__kernel *kernel,
                              cl_kernel handle, struct dl__ndrange *range)
{
    struct dl__context *context = queue->object.context;
    const bool noted = kernel && kernel->note;
    cl_int err;

    if (noted && dl__options_get()->verify_every)
        range->waited = dl__verify_wait(queue, range);
    if (noted && atomic_load_explicit(&kernel->launched.held, memory_order_relaxed) !=
                     DL__HELD_NOT)
        dl__stats_waited(DL__STATS_HELD_MS, hold_back(queue));
    do {
        if (range->wants_wait) {
            range->waited = dl__explore_wait(queue, range, WAIT_SECONDS);
            range->wait_failed = !range->waited;
            range->wants_wait = false;
        }
        dl__context_lock_quietly(context);
        if (range->wait_count && dl__user_events_exist()) {
            dl__context_changes(context);
            dl__user_events_awaited(context, range->wait_count, range->wait);
        }
        if (!kernel || range->waited || !dl__repeat_launch(kernel, queue, range, &err)) {
            dl__context_changes(context);
            err = launch_long(queue, kernel, handle, range);
        }
        dl__context_unlock(context);
    } while (range->wants_wait);
    if (range->shown)
        dl__view_wait(range->shown, range->wait_count, range->wait);
    return err;
}

cl_int dl__launch(struct dl__queue *queue, struct dl__kernel *kernel, cl_kernel handle,
                  struct dl__ndrange *range)
{
    struct dl__wait wait;
    bool unread;
    cl_int err;

    if (dl__context_is_annotated(queue->object.context))
        return launch_in_order(queue, kernel, handle, range);
    unread = kernel && atomic_load(&kernel->unread) && dl__policy_is_on() &&
             atomic_fetch_add(&kernel->launched.unread, 1) >= UNREAD_MAX;
    if (unread)
        dl__stats_waited(DL__STATS_HELD_MS, hold_back(queue));
    dl__wait_begin(&wait, range->wait_count, range->wait);
    err = dl__launch_counted(queue, kernel, handle, range, &wait, false, NULL, NULL);
    dl__wait_end(&wait);
    if (unread && err == CL_SUCCESS) {
        dl__context_lock_quietly(queue->object.context);
        dl__hold_note(queue, kernel, 0);
        dl__context_unlock(queue->object.context);
    }
    return err;
}
