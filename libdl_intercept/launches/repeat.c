/* SPDX-License-Identifier: MIT */
/* Launches that come again. */
#include "repeat.h"

#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/looks.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/state/contexts.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/residence.h"
#include "bind.h"
#include "args.h"

/* Of a kernel without buffers that DL converts. */
static const struct dl_kernel_note no_note;

static inline const struct dl_kernel_note *note_of(const struct dl__kernel *kernel)
{
    return kernel->note ? kernel->note : &no_note;
}

/* Discrete arrays make leaves anew, and what reads them is not the policy's. */
static bool fits(const struct dl_kernel_note *note)
{
    bool fit = !note->refused && note->buffer_count <= DL__REPEAT_BUFFERS &&
               note->arg_count <= DL__REPEAT_ARGS;

    for (size_t b = 0; b < note->buffer_count && fit; b++)
        fit = (note->buffers[b].width || !dl__leaves_are_open(&note->buffers[b])) &&
              note->buffers[b].native == DL_LAYOUT_AOS;
    return fit;
}

static DL__WITH_LOCK void end_known(void *record, void *kept)
{
    struct dl__kernel *kernel = record;
    struct dl__repeats *known = kernel->launched.known;

    (void)kept;
    kernel->launched.known = NULL;
    free(known);
}

/* Ends with its kernel. */
static const struct dl__keeper known_keeper = {.bytes = sizeof(struct dl__kept),
                                               .end = end_known};

static DL__WITH_LOCK struct dl__repeats *known_of(struct dl__kernel *kernel)
{
    const struct dl_kernel_note *note = note_of(kernel);
    struct dl__repeats *known = kernel->launched.known;

    if (known || !fits(note))
        return known;
    known = calloc(1, sizeof *known);
    if (!known || !dl__kept_get(kernel, &known_keeper)) {
        free(known);
        return NULL;
    }
    for (size_t b = 0; b < note->buffer_count; b++) {
        if (note->buffers[b].structs)
            known->reads |= dl_dimension_args(note->buffers[b].structs);
        if (note->buffers[b].width)
            known->reads |= dl_dimension_args(note->buffers[b].width);
        for (size_t n = 0; n < note->buffers[b].whole_count; n++)
            known->reads |= dl_dimension_args(note->buffers[b].wholes[n].number);
        for (uint32_t d = 0; d < note->buffers[b].extent_count; d++)
            known->reads |= dl_dimension_args(note->buffers[b].extents[d]);
    }
    kernel->launched.known = known;
    return known;
}

/* False: it can't be told by its bytes. */
static bool describe_arg(const struct dl__arg *arg, struct dl__mem *mem, bool read,
                         struct dl__repeat_arg *out)
{
    *out = (struct dl__repeat_arg){.mem = mem};
    if (mem) {
        out->serial = atomic_load_explicit(&mem->object.serial, memory_order_relaxed);
        out->bytes = dl__mem_root(mem)->bytes;
        return true;
    }
    if (!read)
        return true;
    if (arg->serial == 0 || arg->null || arg->svm || arg->bytes > sizeof out->value)
        return false;
    out->bytes = arg->bytes;
    memcpy(&out->value, arg->value.small, arg->bytes);
    return true;
}

/* Fills in what the launch is like. False: nothing is kept of it. */
static bool describe(const struct dl__repeats *known, const struct dl__kernel *kernel,
                     const struct dl__queue *queue, const struct dl__ndrange *range,
                     struct dl__repeat_key *out)
{
    const struct dl_kernel_note *note = note_of(kernel);

    if (!dl__ndrange_is_valid(range) || kernel->arg_count > DL__REPEAT_ARGS)
        return false;
    memset(out, 0, offsetof(struct dl__repeat_key, args));
    out->note = note;
    out->queue = queue;
    out->queue_serial = atomic_load_explicit(&queue->object.serial, memory_order_relaxed);
    out->work_dim = range->work_dim;
    for (cl_uint d = 0; d < range->work_dim; d++) {
        out->sizes[d] = range->global[d];
        out->sizes[3 + d] = range->offset ? range->offset[d] : 0;
        out->sizes[6 + d] = range->local ? range->local[d] : 0;
    }
    out->arg_count = kernel->arg_count;
    for (unsigned i = 0; i < kernel->arg_count; i++)
        if (!describe_arg(&kernel->args[i], range->mems[i], known->reads >> i & 1,
                          &out->args[i]))
            return false;
    /* A launch that names no buffer that DL tracks is not worth it. */
    for (size_t b = 0; b < note->buffer_count; b++) {
        unsigned index = note->buffers[b].arg_index;

        if (index >= kernel->arg_count || !range->mems[index])
            return false;
    }
    return true;
}

/* True when the sizes are those of the key. */
static inline bool is_like(const struct dl__repeat_key *key,
                           const struct dl__kernel *kernel, const struct dl__queue *queue,
                           const struct dl__ndrange *range)
{
    if (key->note != note_of(kernel) || key->queue != queue ||
        key->work_dim != range->work_dim || !range->global)
        return false;
    for (cl_uint d = 0; d < key->work_dim; d++)
        if (key->sizes[d] != range->global[d] ||
            key->sizes[3 + d] != (range->offset ? range->offset[d] : 0) ||
            key->sizes[6 + d] != (range->local ? range->local[d] : 0) ||
            (range->local && range->local[d] == 0))
            return false;
    return true;
}

static bool has_value(const struct dl__arg *arg, const struct dl__repeat_arg *was)
{
    return arg->serial != 0 && !arg->null && !arg->svm && arg->bytes == was->bytes &&
           memcmp(arg->value.small, &was->value, arg->bytes) == 0;
}

/* True when all that the launch hangs on is what the key says. */
static bool is_same(const struct dl__repeats *known, const struct dl__repeat_key *key,
                    const struct dl__kernel *kernel, const struct dl__queue *queue,
                    const struct dl__ndrange *range)
{
    if (!is_like(key, kernel, queue, range) || key->arg_count != kernel->arg_count ||
        key->queue_serial !=
            atomic_load_explicit(&queue->object.serial, memory_order_relaxed))
        return false;
    for (unsigned i = 0; i < key->arg_count; i++) {
        const struct dl__repeat_arg *was = &key->args[i];
        struct dl__mem *mem = range->mems[i];

        if (was->mem != mem ||
            (mem && was->serial != atomic_load_explicit(&mem->object.serial,
                                                        memory_order_relaxed)) ||
            (!mem && known->reads >> i & 1 && !has_value(&kernel->args[i], was)))
            return false;
    }
    return true;
}

/* Makes room for another launch. What is read only where a flag says that it stands stays
 * as it is: most launches that come once need none of it. */
static DL__WITH_LOCK void renew(struct dl__repeat *launch,
                                const struct dl__repeat_key *key)
{
    memcpy(&launch->key, key,
           offsetof(struct dl__repeat_key, args) + key->arg_count * sizeof *key->args);
    launch->policy = NULL;
    launch->ask.buffer_count = 0;
    launch->seen = false;
    launch->asked = 0;
    launch->again.stands = false;
}

struct dl__repeat *dl__repeat_find(struct dl__kernel *kernel,
                                   const struct dl__queue *queue,
                                   const struct dl__ndrange *range)
{
    struct dl__repeats *known = known_of(kernel);
    struct dl__repeat *found;
    struct dl__repeat_key key;

    if (!known)
        return NULL;
    for (unsigned i = 0; i < DL__REPEATS; i++) {
        found = &known->launches[i];
        if (!is_same(known, &found->key, kernel, queue, range))
            continue;
        if (found->busy)
            return NULL;
        found->busy = true;
        return found;
    }
    if (!describe(known, kernel, queue, range, &key))
        return NULL;
    found = &known->launches[known->next++ % DL__REPEATS];
    if (found->busy)
        return NULL;
    renew(found, &key);
    found->busy = true;
    return found;
}

static DL__WITH_LOCK bool has_as_long(const struct dl__ndrange *range,
                                      const struct dl__repeat_key *key)
{
    const struct dl__kernel *kernel = range->kernel;

    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        const struct dl_buffer_note *note = &kernel->note->buffers[b];
        const struct dl__mem *root = dl__buffer_root(range, b);

        if (!root || root->bytes != key->args[note->arg_index].bytes ||
            note->extent_count > 0 || dl__leaves_are_open(note))
            return false;
    }
    return true;
}

const struct dl__repeat *dl__repeat_alike(const struct dl__ndrange *range)
{
    const struct dl__kernel *kernel = range->kernel;
    const struct dl__repeats *all = kernel->launched.known;

    for (unsigned i = 0; all && i < DL__REPEATS; i++) {
        const struct dl__repeat *known = &all->launches[i];

        if (known != range->known && known->policy &&
            known->rows_made == kernel->launched.rows_made &&
            is_like(&known->key, kernel, range->queue, range) &&
            has_as_long(range, &known->key))
            return known;
    }
    return NULL;
}

/* ---- the short way: what is kept ---- */

/* False: there are too many. */
static DL__WITH_LOCK bool add_root(struct dl__short_way *again, struct dl__mem *root,
                                   bool bound)
{
    for (unsigned r = 0; r < again->root_count; r++) {
        if (again->roots[r].mem == root) {
            again->roots[r].bound |= bound;
            return true;
        }
    }
    if (again->root_count == DL__REPEAT_ROOTS)
        return false;
    again->roots[again->root_count++] =
        (struct dl__repeat_root){root, root->residence.changes, bound};
    return true;
}

/* True when the launch binds it, so that what comes back for it is the launch's own. */
static DL__WITH_LOCK bool is_bound(const struct dl__ndrange *range,
                                   const struct dl__plan *plan,
                                   const struct dl__mem *root)
{
    bool bound = false;

    for (size_t b = 0; plan && b < range->kernel->note->buffer_count; b++)
        bound |= plan->bindings[b].mem == root;
    return bound || dl__choice_binds(&range->known->ask, root);
}

/* True when the plan moves all of its buffers, to where they lie: nothing is copied for
 * it, and no other argument set. */
static DL__WITH_LOCK bool is_settled(const struct dl__kernel *kernel,
                                     const struct dl__plan *plan)
{
    bool settled = true;

    for (size_t b = 0; b < kernel->note->buffer_count; b++) {
        const struct dl__binding *binding = &plan->bindings[b];

        settled = settled && dl__binding_is_moved(binding) && !binding->part &&
                  !binding->move.needed && !dl__mem_is_copied(binding->mem);
    }
    return settled;
}

static DL__WITH_LOCK bool keep_roots(const struct dl__ndrange *range,
                                     const struct dl__plan *plan,
                                     struct dl__short_way *again)
{
    for (unsigned i = 0; i < range->kernel->arg_count; i++) {
        struct dl__mem *root = dl__mem_root(range->mems[i]);
        bool bound;

        if (!root)
            continue;
        bound = is_bound(range, plan, root);
        if (root->object.context != range->queue->object.context ||
            (dl__mem_is_tiled(root) && !(again->shadow && bound)) ||
            !add_root(again, root, bound))
            return false;
    }
    return true;
}

/* True when launches of the kernel are as they look here: nobody counts or compares them.
 */
static bool is_plain(const struct dl__kernel *kernel)
{
    const struct dl__options *options = dl__options_get();

    return !options->counts && !options->verify_every && !options->advise &&
           !options->policy_test && !note_of(kernel)->refused &&
           (!note_of(kernel)->detected || dl__policy_is_on());
}

/* False: its commands have more to be ordered by than a short launch leaves. */
static bool is_ordinary(const struct dl__queue *queue)
{
    return !queue->out_of_order && queue->slot < DL__QUEUE_SLOTS;
}

void dl__repeat_keep(const struct dl__ndrange *range, const struct dl__plan *plan,
                     struct dl__shadow_kernel *shadow)
{
    const struct dl__kernel *kernel = range->kernel;
    struct dl__repeat *known = range->known;
    struct dl__short_way *again = &known->again;

    again->stands = false;
    if (!is_plain(kernel) || !is_ordinary(range->queue) ||
        (plan           ? !is_settled(kernel, plan)
         : kernel->note ? !range->choice->asked || range->choice->why_not
                        : false))
        return;
    /* The driver may have called the program meanwhile. */
    if (kernel->serial != known->serial || dl__handles_version() != known->handles)
        return;
    *again = (struct dl__short_way){
        .shadow = shadow, .values = range->choice->asked ? known->ask.values : 0};
    if (shadow && shadow->hidden_count > DL__REPEAT_HIDDEN)
        return;
    if (shadow) {
        again->hidden_count = shadow->hidden_count;
        memcpy(again->hidden, shadow->hidden,
               again->hidden_count * sizeof *again->hidden);
    }
    again->stands = keep_roots(range, plan, again);
}

/* ---- whether it is all as it was ---- */

/* Arguments were set since: to what they were? Then the shadow has them, too. Apart, so
 * that a launch with its arguments as they were needs no room for this. */
static __attribute__((noinline)) DL__WITH_LOCK bool
has_its_args(struct dl__kernel *kernel, struct dl__repeat *known, uint64_t reads)
{
    struct dl__mem *mems[DL__REPEAT_ARGS];

    if (kernel->arg_count != known->key.arg_count)
        return false;
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];
        const struct dl__repeat_arg *was = &known->key.args[i];

        mems[i] = was->mem;
        if (was->mem) {
            if (!dl__arg_may_name(arg) || arg->value.mem != was->mem->object.handle)
                return false;
            continue;
        }
        if (dl__arg_mem(arg))
            return false;
        if (reads >> i & 1 && !has_value(arg, was))
            return false;
    }
    if (known->policy && known->ask.watches_values &&
        dl__arg_values(kernel, mems) != known->again.values)
        return false;
    if (known->again.shadow &&
        dl__shadow_kernel_set(kernel, mems, known->again.shadow) != CL_SUCCESS)
        return false;
    known->serial = kernel->serial;
    return true;
}

/* True when nothing stands in the way of the kernel, or the context's tiles, meanwhile.
 */
static DL__WITH_LOCK bool may_run(const struct dl__kernel *kernel,
                                  const struct dl__queue *queue)
{
    const struct dl__context *context = queue->object.context;

    return !dl__is_given_up(kernel, queue->device) && !kernel->launched.astray &&
           !context->pinned && !dl__cancel_possible(context) &&
           context->cancel.launches_left == 0 && is_ordinary(queue);
}

/* True when each buffer lies as it did, and the queue itself puts the launch in order, if
 * it is alone. */
static DL__WITH_LOCK bool lie_as_before(const struct dl__short_way *again,
                                        const struct dl__queue *queue)
{
    const bool alone = !dl__queue_needs_events(queue);

    for (unsigned r = 0; r < again->root_count; r++) {
        const struct dl__repeat_root *root = &again->roots[r];

        if (root->mem->residence.changes != root->changes || root->mem->residence.rest ||
            (!root->bound && root->mem->object.kept) ||
            (again->shadow && root->bound && dl__mem_refusal(root->mem)) ||
            (alone && !dl__mem_is_in_order(root->mem, queue)) ||
            dl__view_map_count(root->mem) > 0)
            return false;
    }
    return true;
}

static DL__WITH_LOCK bool has_hidden(const struct dl__short_way *again)
{
    return !again->shadow || (again->shadow->hidden_count == again->hidden_count &&
                              memcmp(again->shadow->hidden, again->hidden,
                                     again->hidden_count * sizeof *again->hidden) == 0);
}

/* The program may map a buffer without the lock. */
static DL__WITH_LOCK bool is_mapped(const struct dl__short_way *again)
{
    for (unsigned r = 0; again->shadow && r < again->root_count; r++)
        if (atomic_load_explicit(&again->roots[r].mem->maps, memory_order_relaxed) > 0)
            return true;
    return false;
}

/* True when all that the lock guards is as it was, though something changed. What a
 * launch notes with its buffers it has noted then. */
static __attribute__((noinline)) DL__WITH_LOCK bool
is_undisturbed(struct dl__kernel *kernel, const struct dl__queue *queue,
               struct dl__short_way *again)
{
    if (!may_run(kernel, queue) || !lie_as_before(again, queue) || !has_hidden(again))
        return false;
    for (unsigned r = 0; r < again->root_count; r++)
        dl__mem_order_again(again->roots[r].mem, queue);
    again->turns = queue->object.context->turns;
    return true;
}

/* ---- the launch ---- */

static inline DL__WITH_LOCK cl_int enqueue(struct dl__queue *queue,
                                           struct dl__kernel *kernel,
                                           const struct dl__ndrange *range,
                                           struct dl__repeat *known, cl_uint wait_count,
                                           const cl_event *wait, cl_event *event)
{
    struct dl__short_way *again = &known->again;
    cl_kernel handle = again->shadow ? again->shadow->handle : kernel->object.handle;
    cl_int err;

    known->busy = true;
    err = range->task ? dl__next.clEnqueueTask(queue->object.handle, handle, wait_count,
                                               wait, event)
                      : dl__next.clEnqueueNDRangeKernel(
                            queue->object.handle, handle, range->work_dim, range->offset,
                            range->global, range->local, wait_count, wait, event);
    known->busy = false;
    return err;
}

/* Beside other queues: the launch waits for conversions on these, and its event is what
 * theirs wait for. False: it has to go the long way. */
static __attribute__((noinline)) DL__WITH_LOCK bool
enqueue_beside(struct dl__queue *queue, struct dl__kernel *kernel,
               const struct dl__ndrange *range, struct dl__repeat *known, cl_int *err)
{
    struct dl__short_way *again = &known->again;
    struct dl__wait command;
    cl_event end = NULL;
    bool may;

    if (range->event)
        return false;
    dl__wait_begin_on(&command, queue->object.handle, range->wait_count, range->wait);
    for (unsigned r = 0; r < again->root_count; r++)
        dl__mem_order(again->roots[r].mem, queue, &command);
    may = dl__wait_error(&command) == CL_SUCCESS;
    if (may)
        *err = enqueue(queue, kernel, range, known, command.count, command.list, &end);
    if (may && *err == CL_SUCCESS)
        dl__mems_used(&command, queue, end);
    if (end)
        dl__next.clReleaseEvent(end);
    dl__wait_end(&command);
    return may;
}

bool dl__repeat_launch(struct dl__kernel *kernel, struct dl__queue *queue,
                       const struct dl__ndrange *range, cl_int *err)
{
    struct dl__repeats *all = kernel->launched.known;

    if (!all)
        return false;
    for (struct dl__repeat *known = all->launches; known < all->launches + DL__REPEATS;
         known++) {
        struct dl__short_way *again = &known->again;

        if (!again->stands || known->busy || known->handles != dl__handles_version() ||
            known->rows_made != kernel->launched.rows_made || kernel->svm_indirect ||
            !is_like(&known->key, kernel, queue, range) ||
            (known->serial != kernel->serial && !has_its_args(kernel, known, all->reads)))
            continue;
        if ((again->turns == queue->object.context->turns
                 ? is_mapped(again)
                 : !is_undisturbed(kernel, queue, again)) ||
            (known->policy && !dl__choice_again(known->policy, &known->ask)))
            return false;
        /* In order the queue is (is_ordinary). */
        if (atomic_load(&queue->object.context->queue_count) <= 1) {
            dl__queue_count(queue, again->root_count);
            *err = enqueue(queue, kernel, range, known, range->wait_count, range->wait,
                           range->event);
        } else if (!enqueue_beside(queue, kernel, range, known, err)) {
            return false;
        }
        again->stands = *err == CL_SUCCESS;
        /* The program gets the driver's error for its own kernel. */
        return again->stands || !again->shadow;
    }
    return false;
}
