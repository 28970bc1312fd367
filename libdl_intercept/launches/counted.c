/* SPDX-License-Identifier: MIT */
/* Giving the driver a launch, and telling those who count, estimate and advise. */
#include "counted.h"

#include <stdio.h>
#include <stdlib.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/cache.h"
#include "libdl_intercept/programs/devices.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/reports/reasons.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"
#include "bind.h"

/* Whether it may be said that the next run has what was not read in time in this one:
 * only where something keeps it, and once for each text and driver. A promise that was
 * made in an earlier run was not kept. */
enum promise {
    PROMISE_NOT_ASKED,
    PROMISE_MADE,
    PROMISE_BROKEN, /* made in an earlier run */
    PROMISE_NOBODY  /* nothing is kept */
};

static enum promise make_promise(const struct dl__program *program, cl_device_id device)
{
    enum promise made = PROMISE_NOBODY;
    struct dl__pack key;
    void *value = NULL;
    size_t bytes;

    if (dl__cache_is_on() && dl__cache_key_begin(&key, "promise", device)) {
        dl__pack_bytes(&key, program->source, program->source_bytes);
        if (dl__cache_get(&key, &value, &bytes))
            made = PROMISE_BROKEN;
        else if (dl__cache_put(&key, "", 1))
            made = PROMISE_MADE;
        dl__pack_free(&key);
    }
    free(value);
    return made;
}

/* The same answer as long as the program's record lives. Notes in the cache that it was
 * made. */
static enum promise promise_of(struct dl__program *program, cl_device_id device)
{
    unsigned char none = PROMISE_NOT_ASKED, promise = atomic_load(&program->promise);

    if (promise != PROMISE_NOT_ASKED)
        return (enum promise)promise;
    if (!program->source)
        return PROMISE_NOBODY;
    promise = (unsigned char)make_promise(program, device);
    /* Of threads that ask together the first one's answer is everybody's. */
    if (!atomic_compare_exchange_strong(&program->promise, &none, promise))
        promise = none;
    return (enum promise)promise;
}

/* ---- giving the driver a launch, and telling those who count, estimate and advise ----
 */

struct dl__mem *dl__bound_buffer(const struct dl__ndrange *range, size_t buffer)
{
    const struct dl__kernel *kernel = range->kernel;
    struct dl__mem *mem = dl__buffer_root(range, buffer);

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
        .leaves = leaves,
        .structs = structs,
        .written = note->written,
        .arrays = note->arrays,
        .grid = note->extent_count > 0,
        .group_loads = is_among(kernel->note->coalesced_loads, b),
        .group_stores = is_among(kernel->note->coalesced_stores, b)};
}

struct dl__estimated_buffer *dl__estimated_buffers(const struct dl__ndrange *range,
                                                   size_t *count, bool *known)
{
    const struct dl__kernel *kernel = range->kernel;
    struct dl__estimated_buffer *estimated =
        calloc(kernel->note->buffer_count, sizeof *estimated);

    *count = 0;
    for (size_t b = 0; estimated && b < kernel->note->buffer_count; b++) {
        uint32_t struct_bytes = dl__kernel_leaves(kernel, b)->struct_bytes;
        const struct dl__mem *mem = struct_bytes ? dl__bound_buffer(range, b) : NULL;

        if (known)
            *known = *known && mem && kernel->note->buffers[b].facts;
        if (mem)
            estimated[(*count)++] =
                dl__estimated_buffer(kernel, b, mem->bytes / struct_bytes);
    }
    return estimated;
}

/* True where work-items go through structs that all of them share. Caches serve these,
 * and what is left of the launch's bytes says nothing of its speed. */
static bool shares_structs(const struct dl__estimated_buffer *buffer)
{
    for (size_t f = 0; f < buffer->fact_count; f++)
        if (buffer->facts[f].form == DL_ACCESS_UNIFORM && buffer->facts[f].loops)
            return true;
    return false;
}

/* Bytes of its annotated buffers that the launch's accesses use, each once; 0: the text
 * does not say, or work-items share most of them. */
static DL__WITH_LOCK uint64_t launch_bytes(const struct dl__ndrange *range)
{
    /* At a speed of a byte a microsecond; the least that is used hangs on nothing else.
     */
    const struct dl_rates rates = {.copy_mb = 1, .sector_bytes = 32};
    struct dl__estimate estimate = {0};
    size_t count;
    bool known = dl__ndrange_is_valid(range);
    struct dl__estimated_buffer *estimated = dl__estimated_buffers(range, &count, &known);

    for (size_t b = 0; estimated && b < count; b++) {
        estimated[b].for_people = true;
        known = known && !shares_structs(&estimated[b]);
    }
    if (estimated && known)
        dl__estimate_launch(&rates, estimated, count, dl__launch_work(range), &estimate);
    free(estimated);
    return (uint64_t)(estimate.least_seconds * 1e6);
}

/* The name of the member that these bytes are, or are a part of; "": they have none. */
static void name_member(const char *members, struct dl__advised_member *member)
{
    char name[48];
    unsigned offset, width, count;
    int length;

    for (; members && sscanf(members, "%47s %u+%u*%u%n", name, &offset, &width, &count,
                             &length) == 4;
         members += length) {
        uint32_t from = member->offset - offset;

        if (member->offset < offset || !width ||
            member->bytes > (uint64_t)width * count ||
            from > width * count - member->bytes)
            continue;
        if (count > 1 && member->bytes == width && from % width == 0)
            snprintf(member->name, sizeof member->name, "%s[%u]", name, from / width);
        else
            snprintf(member->name, sizeof member->name, "%s", name);
    }
}

/* The members that the accesses name, each once, in the order of the text. */
static void add_members(const struct dl_rates *rates,
                        const struct dl__estimated_buffer *estimated, double items,
                        const char *members, struct dl__advised_buffer *out)
{
    for (size_t f = 0; f < estimated->fact_count; f++) {
        const struct dl_access_fact *fact = &estimated->facts[f];
        struct dl__advised_member *member;
        double used, fetched = dl__estimate_access(rates, estimated, f, &used);
        size_t m = 0;

        while (m < out->member_count && (out->members[m].offset != fact->offset ||
                                         out->members[m].bytes != fact->bytes))
            m++;
        if (m == DL__ADVISED_MEMBERS_MAX)
            continue;
        member = &out->members[m];
        if (m == out->member_count) {
            *member =
                (struct dl__advised_member){.offset = fact->offset, .bytes = fact->bytes};
            name_member(members, member);
            out->member_count++;
        }
        if (!member->guessed && fact->loops > fact->counted) {
            member->guessed = fact->loops - fact->counted;
            member->line = fact->line;
        }
        member->used += items * used;
        member->fetched += items * fetched;
    }
}

void dl__advise(const struct dl__ndrange *range)
{
    struct dl__kernel *kernel = range->kernel;
    const struct dl_kernel_note *note = kernel->note;
    struct dl__advised_buffer *advised = NULL;
    struct dl__estimated_buffer *estimated = NULL;
    struct dl__estimate estimate;
    struct dl_rates rates;
    double work;
    struct dl__device *device =
        dl__context_device(range->queue->object.context, range->queue->device);

    if (!note->detected)
        dl__advice_annotated(kernel->name);
    if (!note->detected || !device || !dl__ndrange_is_valid(range) ||
        !dl__plan_widths(range))
        return;
    advised = calloc(note->buffer_count, sizeof *advised);
    estimated = calloc(note->buffer_count, sizeof *estimated);
    if (!advised || !estimated)
        goto out;
    dl__device_rates(device->id, !(device->type & CL_DEVICE_TYPE_GPU), &rates);
    work = dl__launch_work(range);
    for (size_t b = 0; b < note->buffer_count; b++) {
        const struct dl_buffer_note *own = &note->buffers[b];
        const struct dl__mem *mem = dl__buffer_root(range, b);
        struct dl__traffic traffic;
        double items;

        estimated[b] = dl__estimated_buffer(
            kernel, b, mem ? mem->bytes / dl__kernel_leaves(kernel, b)->struct_bytes : 0);
        estimated[b].for_people = true;
        items = (double)estimated[b].structs < work ? (double)estimated[b].structs : work;
        dl__estimate_traffic(&rates, &estimated[b], &traffic);
        advised[b].annotation = own->found ? own->found : own->name;
        advised[b].arrays = own->arrays;
        advised[b].bytes = mem ? mem->bytes : 0;
        advised[b].commands = mem ? mem->commands : 0;
        advised[b].struct_bytes = estimated[b].struct_bytes;
        advised[b].native = items * traffic.native;
        advised[b].apart = items * traffic.apart;
        add_members(&rates, &estimated[b], items, own->members, &advised[b]);
        estimated[b].for_people = false; /* the speed is what `auto` expects, too */
    }
    dl__estimate_launch(&rates, estimated, note->buffer_count, work, &estimate);
    /* The advice names the layout that is fast there: tiles on GPUs, arrays on CPUs. */
    dl__advice_launch(kernel->name, estimate.of[rates.is_cpu ? DL__DA : DL__ASTA].speedup,
                      rates.is_cpu ? "discrete arrays (--layout da)" : "tiles", advised,
                      note->buffer_count);
out:
    free(advised);
    free(estimated);
}

/* ---- launches as the driver gets them, counted ---- */

static const char *why_unread(struct dl__kernel *kernel, cl_device_id device)
{
    static const enum dl__why whys[] = {[PROMISE_NOT_ASKED] = DL__WHYS,
                                        [PROMISE_MADE] = DL__WHY_UNREAD,
                                        [PROMISE_BROKEN] = DL__WHY_UNREAD_AGAIN,
                                        [PROMISE_NOBODY] = DL__WHY_UNREAD_NO_CACHE};
    const enum dl__why why = whys[promise_of(kernel->program, device)];

    return why == DL__WHYS ? "" : dl__why_text(why);
}

/* Of a kernel that is not rewritten at all. */
static const char *why_never(struct dl__kernel *kernel, cl_device_id device)
{
    const enum dl__why plain =
        dl__options_get()->detect ? DL__WHY_NOTHING_FOUND : DL__WHY_NO_ANNOTATION;
    const enum dl__why whys[DL__ORIGINS] = {[DL__FROM_SOURCE] = plain,
                                            [DL__FROM_KNOWN_BINARY] = plain,
                                            [DL__FROM_BINARY] = DL__WHY_BINARY,
                                            [DL__FROM_IL] = DL__WHY_IL,
                                            [DL__BUILT_IN] = DL__WHY_BUILT_IN};
    const char *left;

    if (dl__options_as_written(dl__options_get()))
        return dl__why_text(DL__WHY_AOS);
    if (kernel->program && kernel->program->source &&
        dl__text_is_own(kernel->program->source, kernel->program->source_bytes))
        return dl__why_text(DL__WHY_OWN);
    if (atomic_load(&kernel->unread))
        return why_unread(kernel, device);
    if (kernel->read_status == DL_ENOLIB)
        return dl__why_text(DL__WHY_NO_LIBCLANG);
    if (kernel->read_status != DL_OK)
        return dl__why_text(DL__WHY_UNREADABLE);
    if (kernel->program && whys[kernel->program->origin] == plain && kernel->name &&
        (left = dl__facts_why_left(kernel->name)))
        return left;
    return kernel->program ? dl__why_text(whys[kernel->program->origin]) : "";
}

static DL__WITH_LOCK const char *why_native(struct dl__kernel *kernel,
                                            struct dl__queue *queue,
                                            const struct dl__choice *choice)
{
    const struct dl__options *options = dl__options_get();

    if (options->advise)
        return dl__why_text(DL__WHY_ADVISE);
    if (dl__options_as_written(options))
        return dl__why_text(DL__WHY_AOS);
    if (options->coalesced && !kernel->note->coalesced)
        return dl__why_text(DL__WHY_NOT_TOGETHER);
    if (options->coalesced && kernel->launched.narrow)
        return dl__why_text(DL__WHY_NARROW);
    if (choice->why_not)
        return choice->why_not;
    if (kernel->launched.differed)
        return kernel->launched.differed;
    if (dl__is_given_up(kernel, queue->device))
        return dl__why_text(DL__WHY_GIVEN_UP);
    if (kernel->svm_indirect)
        return dl__why_text(DL__WHY_POINTERS);
    if (kernel->object.context->pinned)
        return dl__why_text(DL__WHY_PINNED);
    if (dl__lacks_linker(kernel, queue))
        return dl__why_text(DL__WHY_LINKER);
    if (dl__kernel_wants_soa(kernel) && !dl__plan_may_shadow(kernel, queue))
        return dl__why_text(DL__WHY_SOA);
    if (!options->layout_auto && options->layout == DL_LAYOUT_GRID &&
        !dl__cancel_possible(kernel->object.context) &&
        kernel->object.context->cancel.launches_left == 0)
        return dl__why_text(DL__WHY_NO_GRID);
    return dl__why_text(DL__WHY_NO_BUFFER);
}

struct dl__policy_kernel *dl__kernel_policy(struct dl__kernel *kernel,
                                            cl_device_id device,
                                            struct dl__policy *policy)
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

/* Returns what the launch takes as written, as `auto` has measured it in an earlier run;
 * 0: that is not known. */
static DL__WITH_LOCK double native_seconds_before(const struct dl__ndrange *range)
{
    struct dl__device *device =
        dl__context_device(range->queue->object.context, range->queue->device);
    struct dl__policy *policy =
        device ? dl__policy_of(device->id, !(device->type & CL_DEVICE_TYPE_GPU)) : NULL;

    return policy ? dl__policy_native_seconds(
                        dl__kernel_policy(range->kernel, device->id, policy),
                        dl__launch_work(range))
                  : 0;
}

/* Describes a launch to the statistics, in a context with annotations. `kernel` may be
 * NULL. */
static DL__WITH_LOCK void launch_describe(const struct dl__ndrange *range,
                                          bool transformed, struct dl__launch_said *said)
{
    struct dl__kernel *kernel = range->kernel;
    const struct dl__choice *choice = range->choice;
    const char *why = "";

    *said->why = '\0';
    said->bytes = 0;
    said->native_seconds = 0;
    said->native_earlier = false;
    if (!kernel)
        return;
    if (!kernel->note) {
        snprintf(said->why, sizeof said->why, "%s",
                 why_never(kernel, range->queue->device));
        return;
    }
    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        const struct dl__mem *mem = dl__buffer_root(range, b);

        if (mem)
            dl__stats_buffer(mem->id, kernel->note->buffers[b].name, false);
    }
    said->bytes = launch_bytes(range);
    said->native_seconds = dl__choice_native_seconds(choice, &said->native_earlier);
    if (choice->asked && dl__options_get()->policy_test) {
        snprintf(said->why, sizeof said->why, "%s", dl__why_text(DL__WHY_POLICY_TEST));
        return;
    }
    if (choice->asked && !choice->why_not) {
        dl__choice_say(choice, said->why, sizeof said->why);
        return;
    }
    if (!transformed)
        why = why_native(kernel, range->queue, choice);
    else if (dl__kernel_wants_soa(kernel))
        why = dl__why_text(DL__WHY_SOA);
    else if (dl__options_get()->tile_structs == 1)
        why = dl__why_text(DL__WHY_TILE_1);
    else {
        why = dl__why_text(DL__WHY_LAYOUT);
        said->native_seconds = native_seconds_before(range);
        said->native_earlier = said->native_seconds > 0;
    }
    snprintf(said->why, sizeof said->why, "%s", why);
}

static void count(const struct dl__queue *queue, struct dl__kernel *kernel,
                  bool transformed, const struct dl__launch_said *said, cl_event event)
{
    struct dl__launch_said never;

    if (!said && dl__options_get()->counts && !kernel->note) {
        never = (struct dl__launch_said){.bytes = 0};
        snprintf(never.why, sizeof never.why, "%s", why_never(kernel, queue->device));
        said = &never;
    }
    dl__stats_launch(kernel->name, transformed, said, event);
}

static cl_int enqueue(struct dl__queue *queue, cl_kernel handle,
                      const struct dl__ndrange *range, const struct dl__wait *wait,
                      cl_event *event)
{
    if (range->task)
        return dl__next.clEnqueueTask(queue->object.handle, handle, wait->count,
                                      wait->list, event);
    return dl__next.clEnqueueNDRangeKernel(queue->object.handle, handle, range->work_dim,
                                           range->offset, range->global, range->local,
                                           wait->count, wait->list, event);
}

cl_int dl__launch_counted(struct dl__queue *queue, struct dl__kernel *kernel,
                          cl_kernel handle, const struct dl__ndrange *range,
                          const struct dl__wait *wait, bool transformed,
                          const struct dl__launch_said *said, cl_event *end)
{
    cl_event own = NULL, *event = range->event;
    bool sampled = range->choice && range->choice->answer.sample;
    cl_int err;

    if (dl__wait_error(wait) != CL_SUCCESS)
        return dl__wait_error(wait);
    if (!event && (dl__options_get()->stats || sampled || end))
        event = &own;
    if (sampled)
        dl__queue_time_begin(queue);
    err = enqueue(queue, handle, range, wait, event);
    if (sampled)
        dl__queue_time_end(queue);
    if (err == CL_SUCCESS && kernel)
        count(queue, kernel, transformed, said, event ? *event : NULL);
    if (err == CL_SUCCESS && range->choice)
        dl__choice_launched(range->choice, transformed, event ? *event : NULL);
    if (end)
        *end = own;
    else if (own)
        dl__next.clReleaseEvent(own);
    return err;
}

enum { WHY_BYTES = 160 };

/* Why buffers are brought back. */
static const char *say_why(const struct dl__kernel *kernel, char why[WHY_BYTES])
{
    snprintf(why, WHY_BYTES, "kernel %s",
             kernel && kernel->name ? kernel->name : "(unknown)");
    return why;
}

/* Counts what the kernel, which is not rewritten, does to what others gain. */
static DL__WITH_LOCK void count_between(const struct dl__kernel *kernel,
                                        const struct dl__mem *root)
{
    const bool returned = dl__mem_is_tiled(root);

    if (dl__options_get()->counts && !kernel->note && kernel->name &&
        (returned || dl__policy_has(root)))
        dl__stats_between(kernel->name, root->id, returned);
}

static bool moves(const struct dl__ndrange *range, const struct dl__plan *plan,
                  const struct dl__mem *root)
{
    bool moved = false;

    for (size_t b = 0; plan && b < range->kernel->note->buffer_count && !moved; b++)
        moved = plan->bindings[b].mem == root && dl__binding_is_moved(&plan->bindings[b]);
    return moved;
}

cl_int dl__args_settle(const struct dl__ndrange *range, const struct dl__plan *plan,
                       struct dl__wait *command)
{
    struct dl__queue *queue = range->queue;
    struct dl__kernel *kernel = range->kernel;
    cl_int err = CL_SUCCESS;

    for (unsigned i = 0; i < kernel->arg_count && err == CL_SUCCESS; i++) {
        struct dl__mem *mem = range->mems[i], *root = dl__mem_root(mem);
        char why[WHY_BYTES];

        if (!mem || mem->object.context != queue->object.context)
            continue;
        if (!moves(range, plan, root) && !dl__arg_is_unused(kernel, i)) {
            count_between(kernel, root);
            err = dl__mem_bring_back(mem, queue,
                                     dl__mem_is_tiled(root) ? say_why(kernel, why) : "");
            if (dl__arg_is_written(kernel, i))
                dl__mem_written(mem);
        }
        dl__mem_use(mem, queue, command);
    }
    return err;
}

cl_int dl__launch_noted(cl_kernel handle, const struct dl__ndrange *range,
                        const struct dl__wait *wait, bool transformed)
{
    bool says = dl__options_get()->counts;
    /* The program has its own events counted. */
    bool marks = !range->event && !range->queue->out_of_order &&
                 dl__queue_needs_events(range->queue);
    struct dl__launch_said said;
    cl_event end = NULL;
    cl_int err;

    if (says)
        launch_describe(range, transformed, &said);
    err = dl__launch_counted(range->queue, range->kernel, handle, range, wait,
                             transformed, says ? &said : NULL, marks ? &end : NULL);
    if (err == CL_SUCCESS)
        dl__mems_used(wait, range->queue, end);
    if (end)
        dl__next.clReleaseEvent(end);
    return err;
}

/* Brings every tiled buffer of the context back. */
static DL__WITH_LOCK cl_int bring_all_back(struct dl__context *context,
                                           struct dl__queue *queue, const char *why)
{
    struct dl__mem *next;
    cl_int err = CL_SUCCESS;

    for (struct dl__mem *mem = context->tiled; mem && err == CL_SUCCESS; mem = next) {
        next = mem->residence.next_tiled;
        err = dl__mem_bring_back(mem, queue, why);
        dl__mem_written(mem);
    }
    return err;
}

cl_int dl__launch_on_aos(cl_kernel handle, const struct dl__ndrange *range,
                         bool transformed)
{
    struct dl__queue *queue = range->queue;
    struct dl__kernel *kernel = range->kernel;
    struct dl__wait command;
    cl_int err = CL_SUCCESS;

    dl__wait_begin_on(&command, queue->object.handle, range->wait_count, range->wait);
    if (!kernel || kernel->svm_indirect) {
        char why[WHY_BYTES];

        err = bring_all_back(queue->object.context, queue, say_why(kernel, why));
    }
    if (kernel && err == CL_SUCCESS)
        err = dl__args_settle(range, NULL, &command);
    if (err == CL_SUCCESS)
        err = dl__launch_noted(handle, range, &command, transformed);
    dl__wait_end(&command);
    return err;
}
