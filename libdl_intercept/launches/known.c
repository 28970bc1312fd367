/* SPDX-License-Identifier: MIT */
/* Launches that come again. */
#include "known.h"

#include "arrays.h"

#include <stdlib.h>
#include <string.h>

/* Discrete arrays make leaves anew, and what reads them is not the policy's. */
static bool fits(const struct dl_kernel_note *note)
{
    bool fit = !note->refused && note->buffer_count <= DL__KNOWN_BUFFERS &&
               note->arg_count <= DL__KNOWN_ARGS;

    for (size_t b = 0; b < note->buffer_count && fit; b++)
        fit = (note->buffers[b].width || !dl__leaves_are_open(&note->buffers[b])) &&
              note->buffers[b].native == DL_LAYOUT_AOS;
    return fit;
}

/* Ends with its kernel. */
struct kept_known {
    struct dl__kept kept;
};

static DL__WITH_LOCK void end_known(void *record, void *kept)
{
    struct dl__kernel *kernel = record;
    struct dl__known *known = kernel->launched.known;

    (void)kept;
    kernel->launched.known = NULL;
    for (unsigned i = 0; i < DL__KNOWN_LAUNCHES; i++)
        dl__choice_forget(&known->launches[i].ask);
    free(known);
}

static const struct dl__keeper known_keeper = {.bytes = sizeof(struct kept_known),
                                               .end = end_known};

static DL__WITH_LOCK struct dl__known *known_of(struct dl__kernel *kernel)
{
    const struct dl_kernel_note *note = kernel->note;
    struct dl__known *known = kernel->launched.known;

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
        for (uint32_t d = 0; d < note->buffers[b].extent_count; d++)
            known->reads |= dl_dimension_args(note->buffers[b].extents[d]);
    }
    kernel->launched.known = known;
    return known;
}

/* False: it can't be told by its bytes. */
static bool describe_arg(const struct dl__arg *arg, struct dl__mem *mem, bool read,
                         struct dl__known_arg *out)
{
    *out = (struct dl__known_arg){.mem = mem};
    if (mem) {
        out->serial = atomic_load_explicit(&mem->object.serial, memory_order_relaxed);
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
static bool describe(const struct dl__known *known, const struct dl__kernel *kernel,
                     const struct dl__queue *queue, const struct dl__ndrange *range,
                     struct dl__launch_key *out)
{
    const struct dl_kernel_note *note = kernel->note;

    if (range->work_dim < 1 || range->work_dim > 3 || !range->global ||
        kernel->arg_count > DL__KNOWN_ARGS)
        return false;
    memset(out, 0, offsetof(struct dl__launch_key, args));
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
    /* What names no buffer that DL tracks is not worth it. */
    for (size_t b = 0; b < note->buffer_count; b++) {
        unsigned index = note->buffers[b].arg_index;

        if (index >= kernel->arg_count || !range->mems[index])
            return false;
    }
    return true;
}

static bool is_same(const struct dl__launch_key *a, const struct dl__launch_key *b)
{
    if (a->note != b->note || a->queue != b->queue ||
        a->queue_serial != b->queue_serial || a->work_dim != b->work_dim ||
        a->arg_count != b->arg_count)
        return false;
    /* Most that differ do in what they work on. */
    if (a->arg_count > 0 && a->args[0].mem != b->args[0].mem)
        return false;
    if (memcmp(a->sizes, b->sizes, sizeof a->sizes) != 0)
        return false;
    for (unsigned i = 0; i < a->arg_count; i++)
        if (a->args[i].mem != b->args[i].mem || a->args[i].serial != b->args[i].serial ||
            a->args[i].value != b->args[i].value || a->args[i].bytes != b->args[i].bytes)
            return false;
    return true;
}

/* Makes room for another launch. What is read only where a flag says that it stands stays as it is: most launches that
 * come once need none of it. */
static DL__WITH_LOCK void renew(struct dl__known_launch *launch,
                                const struct dl__launch_key *key)
{
    dl__choice_forget(&launch->ask);
    memcpy(&launch->key, key,
           offsetof(struct dl__launch_key, args) + key->arg_count * sizeof *key->args);
    launch->policy = NULL;
    launch->ask.buffer_count = 0;
    launch->seen = false;
    launch->asked = 0;
    launch->planned = false;
    launch->members_known = false;
    launch->again.stands = false;
}

struct dl__known_launch *dl__known_find(struct dl__kernel *kernel,
                                        const struct dl__queue *queue,
                                        const struct dl__ndrange *range)
{
    struct dl__known *known = known_of(kernel);
    struct dl__known_launch *found;
    struct dl__launch_key key;

    if (!known || !describe(known, kernel, queue, range, &key))
        return NULL;
    for (unsigned i = 0; i < DL__KNOWN_LAUNCHES; i++) {
        found = &known->launches[i];
        if (!is_same(&found->key, &key))
            continue;
        if (found->busy)
            return NULL;
        found->busy = true;
        return found;
    }
    found = &known->launches[known->next++ % DL__KNOWN_LAUNCHES];
    if (found->busy)
        return NULL;
    renew(found, &key);
    found->busy = true;
    return found;
}
