/* SPDX-License-Identifier: MIT */
/* The short way of a launch. */
#include "again.h"

#include <string.h>

#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/maps.h"
#include "libdl_intercept/programs/rewrite.h"
#include "libdl_intercept/state/cancel.h"
#include "libdl_intercept/state/queues.h"
#include "libdl_intercept/state/residence.h"
#include "given_up.h"
#include "known.h"

/* ---- what is kept ---- */

/* False: there are too many. */
static DL__WITH_LOCK bool add_root(struct dl__again *again, struct dl__mem *root,
                                   bool bound)
{
    for (unsigned r = 0; r < again->root_count; r++) {
        if (again->roots[r].mem == root) {
            again->roots[r].bound |= bound;
            return true;
        }
    }
    if (again->root_count == DL__AGAIN_ROOTS)
        return false;
    again->roots[again->root_count++] =
        (struct dl__again_root){root, root->residence.changes, bound};
    return true;
}

/* True when the launch binds it, so that what comes back for it is the launch's own. */
static DL__WITH_LOCK bool is_bound(const struct dl__kernel *kernel,
                                   const struct dl__known_launch *known,
                                   const struct dl__mem *root, bool tiled)
{
    bool bound = false;

    for (size_t b = 0; tiled && b < kernel->note->buffer_count; b++)
        bound |= known->bindings[b].mem == root;
    return bound || dl__choice_binds(&known->ask, root);
}

static DL__WITH_LOCK bool keep_roots(const struct dl__kernel *kernel,
                                     const struct dl__queue *queue,
                                     const struct dl__ndrange *range,
                                     struct dl__again *again)
{
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        struct dl__mem *root = dl__mem_root(range->mems[i]);
        bool bound;

        if (!root)
            continue;
        bound = is_bound(kernel, range->known, root, again->tiled);
        if (root->object.context != queue->object.context ||
            (dl__mem_is_tiled(root) && !(again->tiled && bound)) ||
            !add_root(again, root, bound))
            return false;
    }
    return true;
}

/* True when launches of the kernel are as they look here: nobody counts or compares them. */
static bool is_plain(const struct dl__kernel *kernel)
{
    const struct dl__options *options = dl__options_get();

    return !options->counts && !options->verify_every && !options->advise &&
           !options->policy_test && !kernel->note->refused &&
           (!kernel->note->detected || dl__policy_is_on());
}

void dl__again_keep(struct dl__kernel *kernel, struct dl__queue *queue,
                    const struct dl__ndrange *range, const struct dl__plan *plan,
                    struct dl__shadow_kernel *shadow)
{
    struct dl__known_launch *known = range->known;
    struct dl__again *again = &known->again;

    again->stands = false;
    if (!is_plain(kernel) || dl__queue_needs_events(queue) ||
        (plan ? !known->planned : !range->choice->asked || range->choice->why_not))
        return;
    /* The driver may have called the program meanwhile. */
    if (kernel->serial != known->serial || dl__handles_version() != known->handles)
        return;
    *again = (struct dl__again){.tiled = shadow != NULL,
                                .shadow = shadow,
                                .handles = known->handles,
                                .serial = known->serial,
                                .values = range->choice->asked ? known->ask.values : 0};
    if (shadow && shadow->hidden_count > DL__AGAIN_HIDDEN)
        return;
    if (shadow) {
        again->hidden_count = shadow->hidden_count;
        memcpy(again->hidden, shadow->hidden,
               again->hidden_count * sizeof *again->hidden);
    }
    again->stands = keep_roots(kernel, queue, range, again);
}

/* ---- whether it is all as it was ---- */

static bool is_like(const struct dl__launch_key *key, const struct dl__kernel *kernel,
                    const struct dl__queue *queue, const struct dl__ndrange *range)
{
    if (key->note != kernel->note || key->queue != queue ||
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

/* Arguments were set since: to what they were? Then the shadow has them, too. */
static DL__WITH_LOCK bool has_its_args(struct dl__kernel *kernel,
                                       struct dl__known_launch *known, uint64_t reads)
{
    struct dl__mem *mems[DL__KNOWN_ARGS];

    if (known->again.serial == kernel->serial)
        return true;
    if (kernel->arg_count != known->key.arg_count)
        return false;
    for (unsigned i = 0; i < kernel->arg_count; i++) {
        const struct dl__arg *arg = &kernel->args[i];
        const struct dl__known_arg *was = &known->key.args[i];

        mems[i] = was->mem;
        if (was->mem) {
            if (!dl__arg_may_name(arg) || arg->value.mem != was->mem->object.handle)
                return false;
            continue;
        }
        if (dl__arg_mem(arg))
            return false;
        if (reads >> i & 1 &&
            (arg->serial == 0 || arg->null || arg->svm || arg->bytes != was->bytes ||
             memcmp(arg->value.small, &was->value, arg->bytes) != 0))
            return false;
    }
    if (known->policy && known->ask.watches_values &&
        dl__arg_values(kernel, mems) != known->again.values)
        return false;
    if (known->again.shadow &&
        dl__shadow_kernel_set(kernel, mems, known->again.shadow) != CL_SUCCESS)
        return false;
    known->again.serial = kernel->serial;
    return true;
}

/* True when nothing stands in the way of the kernel, or the context's tiles, meanwhile. */
static DL__WITH_LOCK bool may_run(const struct dl__kernel *kernel,
                                  const struct dl__queue *queue)
{
    const struct dl__context *context = queue->object.context;

    return !dl__is_given_up(kernel, queue->device) && !kernel->launched.astray &&
           !context->pinned && !dl__cancel_possible(context) &&
           context->cancel.launches_left == 0 && !dl__queue_needs_events(queue);
}

/* True when each buffer lies as it did, and the queue itself puts the launch in order. */
static DL__WITH_LOCK bool lie_as_before(const struct dl__again *again,
                                        const struct dl__queue *queue)
{
    for (unsigned r = 0; r < again->root_count; r++) {
        const struct dl__again_root *root = &again->roots[r];

        if (root->mem->residence.changes != root->changes || root->mem->residence.rest ||
            (!root->bound && root->mem->object.kept) ||
            (again->tiled && root->bound && dl__mem_refusal(root->mem)) ||
            !dl__mem_is_in_order(root->mem, queue) || dl__view_map_count(root->mem) > 0)
            return false;
    }
    return true;
}

static DL__WITH_LOCK bool has_hidden(const struct dl__again *again)
{
    return !again->shadow || (again->shadow->hidden_count == again->hidden_count &&
                              memcmp(again->shadow->hidden, again->hidden,
                                     again->hidden_count * sizeof *again->hidden) == 0);
}

/* The program may map a buffer without the lock. */
static DL__WITH_LOCK bool is_mapped(const struct dl__again *again)
{
    for (unsigned r = 0; again->tiled && r < again->root_count; r++)
        if (atomic_load_explicit(&again->roots[r].mem->maps, memory_order_relaxed) > 0)
            return true;
    return false;
}

/* True when all that the lock guards is as it was. What a launch notes with its buffers it has noted then. */
static DL__WITH_LOCK bool is_undisturbed(struct dl__kernel *kernel,
                                         const struct dl__queue *queue,
                                         struct dl__known_launch *known)
{
    struct dl__again *again = &known->again;
    uint64_t turns = queue->object.context->turns;

    if (again->turns == turns)
        return !is_mapped(again);
    if (!may_run(kernel, queue) || !lie_as_before(again, queue) || !has_hidden(again))
        return false;
    for (unsigned r = 0; r < again->root_count; r++)
        dl__mem_order_again(again->roots[r].mem, queue);
    again->turns = turns;
    return true;
}

/* ---- the launch ---- */

static DL__WITH_LOCK cl_int enqueue(struct dl__queue *queue, struct dl__kernel *kernel,
                                    const struct dl__ndrange *range,
                                    struct dl__known_launch *known)
{
    struct dl__again *again = &known->again;
    cl_kernel handle = again->shadow ? again->shadow->handle : kernel->object.handle;
    cl_event *event = range->event;
    cl_int err;

    dl__queue_count(queue, again->root_count);
    known->busy = true;
    err = range->task
              ? dl__next.clEnqueueTask(queue->object.handle, handle, range->wait_count,
                                       range->wait, event)
              : dl__next.clEnqueueNDRangeKernel(
                    queue->object.handle, handle, range->work_dim, range->offset,
                    range->global, range->local, range->wait_count, range->wait, event);
    known->busy = false;
    return err;
}

bool dl__again_launch(struct dl__kernel *kernel, struct dl__queue *queue,
                      const struct dl__ndrange *range, cl_int *err)
{
    struct dl__known *all = kernel->launched.known;

    for (unsigned i = 0; all && i < DL__KNOWN_LAUNCHES; i++) {
        struct dl__known_launch *known = &all->launches[i];
        struct dl__again *again = &known->again;

        if (!again->stands || known->busy || again->handles != dl__handles_version() ||
            known->rows_made != kernel->launched.rows_made || kernel->svm_indirect ||
            !is_like(&known->key, kernel, queue, range) ||
            !has_its_args(kernel, known, all->reads))
            continue;
        if (!is_undisturbed(kernel, queue, known) ||
            (known->policy && !dl__lease_take(known->policy, &known->ask)))
            return false;
        *err = enqueue(queue, kernel, range, known);
        again->stands = *err == CL_SUCCESS;
        /* What the driver says of the program's own kernel is for the program. */
        return again->stands || !again->tiled;
    }
    return false;
}
