/* SPDX-License-Identifier: MIT */
/* Bytes that nothing sets. */
#include "unset.h"

#include <stdio.h>

#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/programs/shadow.h"

static const struct dl__shadow_knobs other_build = {.own = true};

/* Buffers by their notes; gaps by bits. What is kept with a kernel. */
enum { BUFFERS_MAX = 32 };

struct unset {
    struct dl__kept kept;
    bool read; /* what earlier runs have found */
    bool said; /* that they don't count */
    uint64_t gaps[BUFFERS_MAX];
};

static const struct dl__keeper keeper = {.bytes = sizeof(struct unset)};

static DL__WITH_LOCK bool note(const struct dl__copies *copies, struct unset *unset,
                               bool put)
{
    return dl__shadow_note(copies->kernel, copies->queue->device, &other_build,
                           unset->gaps, sizeof unset->gaps, put);
}

/* NULL: there is no memory. */
static DL__WITH_LOCK struct unset *unset_of(const struct dl__copies *copies)
{
    struct unset *unset = dl__kept_get(copies->kernel, &keeper);

    /* Programs may make a kernel anew for each launch. */
    if (unset && !unset->read && note(copies, unset, false))
        copies->kernel->launched.twice = true;
    for (int b = 0; unset && !unset->read && b < BUFFERS_MAX; b++)
        unset->said |= unset->gaps[b] != 0;
    if (unset)
        unset->read = true;
    return unset;
}

/* The buffer's structs where the kernel writes them, all of it by one argument. NULL:
 * there are none. */
static DL__WITH_LOCK const struct dl_buffer_note *
structs_of(const struct dl__copies *copies, const struct dl__copied *copied)
{
    const struct dl_kernel_note *note = copies->kernel->note;
    const struct dl_buffer_note *found = NULL;
    unsigned written = 0;

    for (size_t b = 0; b < note->buffer_count && copied->mem; b++) {
        const struct dl_buffer_note *buffer = &note->buffers[b];

        if (!buffer->written ||
            dl__mem_root(copies->range.mems[buffer->arg_index]) != copied->mem)
            continue;
        written++;
        if (b < BUFFERS_MAX && buffer->gap_count &&
            copies->range.mems[buffer->arg_index] == copied->mem)
            found = buffer;
    }
    return written == 1 ? found : NULL;
}

void dl__unset_begin(struct dl__copies *copies, bool explores)
{
    const struct dl__options *options = dl__options_get();
    const struct dl_buffer_note *notes = copies->kernel->note->buffers;
    struct unset *unset = NULL;

    for (size_t i = 0; i < copies->count; i++)
        if ((copies->list[i].structs = structs_of(copies, &copies->list[i])))
            unset = unset_of(copies);
    /* A slice that differs is explored whole. The builder, where DL has one, first makes
     * the kernels that compare gaps. */
    copies->sees_gaps = unset && !copies->items && (explores || !options->exact) &&
                        (!explores || copies->kernel->launched.twice ||
                         !options->layout_auto || options->policy_test);
    for (size_t i = 0; i < copies->count && copies->sees_gaps; i++)
        if (copies->list[i].structs)
            copies->list[i].unset = unset->gaps[copies->list[i].structs - notes];
}

bool dl__unset_wants(struct dl__copies *copies, const struct dl__copied *differs)
{
    struct dl__kernel *kernel = copies->kernel;
    struct dl__launched_on *on = dl__launched_on(kernel, copies->queue->device);
    struct unset *unset;

    if (!differs || !differs->structs || copies->sees_gaps || copies->items || !on ||
        !(unset = unset_of(copies)))
        return false;
    note(copies, unset, true);
    on->ready = 0;
    kernel->launched.twice = true;
    kernel->launched.rows_made++; /* its price is another now */
    return true;
}

/* Gaps that have just been found to differ are unset. */
static DL__WITH_LOCK void add(struct dl__copies *copies)
{
    struct unset *unset = NULL;

    for (size_t i = 0; i < copies->count; i++) {
        struct dl__copied *copied = &copies->list[i];

        if (!(copied->differ & ~copied->unset) || !(unset = unset_of(copies)))
            continue;
        copied->unset |= copied->differ;
        unset->gaps[copied->structs - copies->kernel->note->buffers] |= copied->unset;
    }
    if (unset)
        note(copies, unset, true);
}

bool dl__unset_learn(struct dl__copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        if (copies->list[i].beyond)
            return false;
    add(copies);
    return true;
}

/* The first buffer of which gaps differ that count; NULL: there is none. */
static const struct dl__copied *counting(const struct dl__copies *copies)
{
    for (size_t i = 0; i < copies->count; i++)
        if (copies->list[i].judged & ~copies->list[i].unset)
            return &copies->list[i];
    return NULL;
}

static DL__WITH_LOCK void say(const struct dl__copies *copies)
{
    struct unset *unset = unset_of(copies);

    if (!unset || unset->said)
        return;
    unset->said = true;
    for (size_t i = 0; i < copies->count; i++) {
        const struct dl__copied *copied = &copies->list[i];
        char where[160] = "", line[480];
        size_t used = 0;

        for (size_t g = 0; copied->judged && g < copied->structs->gap_count; g++)
            if (copied->judged >> g & 1 && used + 16 < sizeof where)
                used += (size_t)sprintf(where + used, "%s%u", used ? ", " : "",
                                        copied->structs->gaps[g].offset_bytes);
        if (!used)
            continue;
        snprintf(line, sizeof line,
                 "kernel '%s', argument %u: its results differ only where the structs "
                 "have no member (at byte %s), and where its own text gives something "
                 "else in each build or run, too: these bytes don't count",
                 copies->kernel->name, copied->structs->arg_index, where);
        if (dl__options_get()->explain_policy)
            dl__stderr_say("dl: policy: %s\n", line);
        else
            dl__log(DL__LOG_REMARK, "%s", line);
    }
}

enum dl__verdict_of_copies dl__unset_judge(struct dl__copies *copies, enum dl__copy other)
{
    const struct dl__options *options = dl__options_get();
    struct dl__shadow_knobs knobs = other_build;
    cl_device_id device = copies->queue->device;
    const struct dl__copied *found;
    struct dl__shadow_kernel *shadow;
    const char *why;
    double seconds;

    if (counting(copies)) {
        if (options->layout_auto && !options->policy_test &&
            dl__shadow_ask(copies->kernel, device, &knobs) == DL__BUILDING)
            return DL__NOT_EXPLORED;
        shadow = dl__shadow_kernel_get(copies->kernel, copies->queue, copies->range.mems,
                                       &knobs, &why);
        if (!shadow || dl__copies_restore(copies, DL__WORK) != CL_SUCCESS ||
            dl__copies_run(copies, shadow, DL__WORK, &seconds) != CL_SUCCESS ||
            !dl__copies_compare(copies, other, &found))
            return DL__DIFFERS;
        /* Another build may round otherwise, which says nothing of gaps. */
        add(copies);
    }
    if (counting(copies))
        return DL__DIFFERS;
    say(copies);
    return DL__EQUAL;
}
