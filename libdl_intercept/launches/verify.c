/* SPDX-License-Identifier: MIT */
/* Comparing a transformed launch with the program's own. */
#include "verify.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/event.h"
#include "libdl_intercept/base/log.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/base/options.h"
#include "libdl_intercept/host/staged.h"
#include "libdl_intercept/reports/facts.h"
#include "libdl_intercept/state/callouts.h"
#include "libdl_intercept/state/cancel.h"
#include "libdl_intercept/state/residence.h"
#include "on_copies.h"

/* How long a launch may wait for what comes before it: at first, and at least. */
#define WAIT_SECONDS 10.0
#define WAIT_SECONDS_LEAST 0.1

/* One buffer that the launch reaches, also by a sub-buffer of it. */
struct watched {
    struct dl__mem *mem; /* the buffer itself, never a view of it */
    unsigned arg_index;
    unsigned char *before, *native; /* owned, mem->bytes each, as the program sees them */
    cl_mem copy;
};

struct dl__verify {
    struct dl__kernel *kernel;
    struct dl__queue *queue;
    struct dl__ndrange range;
    unsigned long launch;
    size_t count;
    struct watched watched[];
};

/* All of a buffer as the program sees it. Blocks. */
static DL__WITH_LOCK cl_int read_buffer(struct dl__mem *mem, struct dl__queue *queue,
                                        unsigned char *bytes)
{
    struct dl__wait none;
    cl_event done = NULL;
    cl_int err = CL_SUCCESS;

    dl__wait_begin(&none, 0, NULL);
    if (!dl__staged_read(mem, queue, &none, 0, mem->bytes, bytes, &done)) {
        err = dl__mem_bring_back(mem, queue, "verification");
        dl__mem_use(mem, queue, &none);
        if (err == CL_SUCCESS)
            err = dl__wait_error(&none);
        if (err == CL_SUCCESS)
            err = dl__next.clEnqueueReadBuffer(queue->object.handle, mem->object.handle,
                                               CL_FALSE, 0, mem->bytes, bytes, none.count,
                                               none.list, &done);
    }
    if (err == CL_SUCCESS)
        err = dl__event_wait(done);
    if (done)
        dl__next.clReleaseEvent(done);
    dl__wait_end(&none);
    return err;
}

static void verify_free(struct dl__verify *verify)
{
    for (size_t i = 0; i < verify->count; i++) {
        free(verify->watched[i].before);
        free(verify->watched[i].native);
        if (verify->watched[i].copy)
            dl__next.clReleaseMemObject(verify->watched[i].copy);
    }
    free(verify);
}

static struct watched *find_watched(struct dl__verify *verify, const struct dl__mem *mem)
{
    for (size_t i = 0; i < verify->count; i++) {
        if (verify->watched[i].mem == mem)
            return &verify->watched[i];
    }
    return NULL;
}

static atomic_bool ran_out;    /* a wait has, in this process */
static _Atomic double longest; /* seconds of those that have not */

/* Once a wait has run out, others may take four times as long as the longest that did not: a program whose launches
 * never end by themselves, made from callbacks of a driver that calls one at a time, has many of them. */
static double wait_seconds(void)
{
    double seconds = 4 * atomic_load(&longest);

    return !atomic_load(&ran_out) || seconds > WAIT_SECONDS ? WAIT_SECONDS
           : seconds < WAIT_SECONDS_LEAST                   ? WAIT_SECONDS_LEAST
                                                            : seconds;
}

/* True when all that comes before the launch has ended well. What waits for the program's next call never
 * does, be it a kernel that looks at the host's memory: hence the limit. */
static bool ends_by_itself(struct dl__queue *queue, const struct dl__ndrange *range)
{
    double begin = dl__clock_seconds(), limit = wait_seconds(), seconds;
    cl_event marker = NULL;
    bool ended = dl__next.clEnqueueMarkerWithWaitList(queue->object.handle, 0, NULL,
                                                      &marker) == CL_SUCCESS &&
                 dl__queue_flush(queue->object.handle);

    for (cl_uint i = 0; ended && i < range->wait_count; i++)
        ended = dl__event_flush(range->wait[i], queue->object.handle) &&
                dl__event_ends_within(range->wait[i], limit) &&
                dl__event_status(range->wait[i]) == CL_COMPLETE;
    ended = ended && dl__event_ends_within(marker, limit);
    if (marker)
        dl__next.clReleaseEvent(marker);
    seconds = dl__clock_seconds() - begin;
    if (!ended && seconds >= limit)
        atomic_store(&ran_out, true);
    if (ended && seconds > atomic_load(&longest))
        atomic_store(&longest, seconds);
    return ended;
}

bool dl__verify_wait(struct dl__queue *queue, const struct dl__ndrange *range)
{
    struct dl__context *context = queue->object.context;
    bool waits;

    dl__context_lock(context);
    waits = !dl__cancel_possible(context);
    dl__context_unlock(context);
    if (!waits)
        return false;
    if (dl__callouts_run())
        return false;
    return ends_by_itself(queue, range) &&
           dl__next.clFinish(queue->object.handle) == CL_SUCCESS;
}

struct dl__verify *dl__verify_begin(struct dl__kernel *kernel, struct dl__queue *queue,
                                    const struct dl__ndrange *range)
{
    unsigned every = dl__options_get()->verify_every;
    unsigned long launch = kernel->launched.transformed++;
    struct dl__verify *verify;
    const char *reason = NULL;

    if (every == 0 || launch % every != 0)
        return NULL;
    if (kernel->note->once) {
        if (!kernel->launched.once_said)
            dl__log(
                DL__LOG_WARNING,
                "kernel '%s' is not verified: run once more, it would print, or start "
                "kernels, once more",
                kernel->name);
        kernel->launched.once_said = true;
        dl__facts_verified(DL__NOT_COMPARED);
        return NULL;
    }
    verify = calloc(1, sizeof *verify + kernel->arg_count * sizeof *verify->watched);
    if (!verify)
        return NULL;
    *verify = (struct dl__verify){.kernel = kernel, .queue = queue, .launch = launch + 1};
    verify->range = *range;
    if (range->waited)
        dl__next.clFinish(queue->object.handle);
    else
        reason = "what comes before it has failed, or does not end by itself";
    for (unsigned i = 0; !reason && i < kernel->arg_count; i++) {
        struct dl__mem *mem = range->mems[i];
        struct watched *watched = &verify->watched[verify->count];

        if (mem && mem->kind == DL__BUFFER_IMAGE) {
            reason = "an argument is an image of a buffer";
            break;
        }
        mem = dl__mem_root(mem);
        if (!mem || find_watched(verify, mem))
            continue;
        watched->mem = mem;
        watched->arg_index = i;
        verify->count++;
        watched->before = malloc(mem->bytes);
        watched->native = malloc(mem->bytes);
        if (!watched->before || !watched->native ||
            read_buffer(mem, queue, watched->before) != CL_SUCCESS)
            reason = "a buffer can't be read";
    }
    if (!reason)
        return verify;
    dl__log(DL__LOG_WARNING, "kernel %s, launch %lu is not verified: %s", kernel->name,
            verify->launch, reason);
    dl__facts_verified(DL__NOT_COMPARED);
    verify_free(verify);
    return NULL;
}

static cl_mem copy_of(void *user, const struct dl__mem *root)
{
    const struct watched *watched = find_watched(user, root);

    return watched ? watched->copy : NULL;
}

/* The program's kernel on fresh copies of what the buffers held; the results into
 * `native`. */
static DL__WITH_LOCK cl_int run_native(struct dl__verify *verify)
{
    cl_command_queue queue = verify->queue->object.handle;
    cl_int err = CL_SUCCESS;

    for (size_t i = 0; err == CL_SUCCESS && i < verify->count; i++) {
        struct watched *watched = &verify->watched[i];

        if (!watched->copy)
            watched->copy = dl__next.clCreateBuffer(
                verify->queue->object.context->object.handle, CL_MEM_READ_WRITE,
                watched->mem->bytes, NULL, &err);
        if (err == CL_SUCCESS)
            err = dl__next.clEnqueueWriteBuffer(queue, watched->copy, CL_TRUE, 0,
                                                watched->mem->bytes, watched->before, 0,
                                                NULL, NULL);
    }
    if (err == CL_SUCCESS)
        err = dl__launch_on_copies(verify->kernel, verify->queue, &verify->range, copy_of,
                                   verify, NULL);
    for (size_t i = 0; err == CL_SUCCESS && i < verify->count; i++)
        err = dl__next.clEnqueueReadBuffer(queue, verify->watched[i].copy, CL_TRUE, 0,
                                           verify->watched[i].mem->bytes,
                                           verify->watched[i].native, 0, NULL, NULL);
    return err;
}

/* True when the program's own kernel does not repeat itself. */
static DL__WITH_LOCK bool is_racy(struct dl__verify *verify)
{
    unsigned char **first = calloc(verify->count, sizeof *first);
    bool racy = false;

    for (size_t i = 0; first && i < verify->count; i++) {
        first[i] = malloc(verify->watched[i].mem->bytes);
        if (first[i])
            memcpy(first[i], verify->watched[i].native, verify->watched[i].mem->bytes);
    }
    if (first && run_native(verify) == CL_SUCCESS) {
        for (size_t i = 0; i < verify->count; i++)
            racy = racy || (first[i] && memcmp(first[i], verify->watched[i].native,
                                               verify->watched[i].mem->bytes) != 0);
    }
    for (size_t i = 0; first && i < verify->count; i++)
        free(first[i]);
    free(first);
    return racy;
}

static void print_bytes(char *text, size_t room, const unsigned char *bytes, size_t count)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < count && used + 3 < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%02x", bytes[i]);
}

/* Names the first byte that differs: its struct and leaf, and both values of the leaf. */
static DL__WITH_LOCK void report(const struct dl__verify *verify,
                                 const struct watched *watched,
                                 const unsigned char *transformed)
{
    const struct dl_buffer_note *note = NULL;
    const struct dl_leaf_table *leaves = NULL;
    size_t at = 0, begin, width = 1;
    char ours[2 * DL_LEAF_BYTES_MAX + 1], theirs[2 * DL_LEAF_BYTES_MAX + 1], place[96];

    for (size_t b = 0; b < verify->kernel->note->buffer_count; b++) {
        if (verify->kernel->note->buffers[b].arg_index != watched->arg_index)
            continue;
        note = &verify->kernel->note->buffers[b];
        leaves = dl__kernel_leaves(verify->kernel, b);
    }
    if (note && leaves->struct_bytes == 0)
        leaves = NULL;
    while (transformed[at] == watched->native[at])
        at++;
    begin = at;
    snprintf(place, sizeof place, "byte %zu", at);
    if (leaves &&
        at < watched->mem->bytes / leaves->struct_bytes * leaves->struct_bytes) {
        size_t inside = at % leaves->struct_bytes;

        for (uint32_t l = 0; l < leaves->leaf_count; l++) {
            const struct dl_leaf leaf = leaves->leaves[l];

            if (inside >= leaf.offset_bytes &&
                inside - leaf.offset_bytes < leaf.width_bytes) {
                begin = at - inside + leaf.offset_bytes;
                width = leaf.width_bytes;
            }
        }
        snprintf(place, sizeof place, "struct %zu, leaf at offset %zu",
                 at / leaves->struct_bytes, begin % leaves->struct_bytes);
    }
    print_bytes(ours, sizeof ours, transformed + begin, width);
    print_bytes(theirs, sizeof theirs, watched->native + begin, width);
    dl__log(DL__LOG_WARNING,
            "verify: kernel %s, launch %lu, argument %u%s%s, %s: bytes %s transformed, "
            "%s native; the kernel runs as written from now on",
            verify->kernel->name, verify->launch, watched->arg_index, note ? " " : "",
            note ? note->name : "", place, ours, theirs);
}

/* The program goes on with what its own kernel gave. */
static DL__WITH_LOCK void put_native(struct dl__verify *verify)
{
    for (size_t i = 0; i < verify->count; i++)
        dl__put_native(verify->watched[i].mem, verify->queue, NULL,
                       verify->watched[i].native);
}

void dl__verify_end(struct dl__verify *verify, cl_int err)
{
    bool differs = false, racy = false;

    if (!verify)
        return;
    if (err != CL_SUCCESS) {
        dl__facts_verified(DL__NOT_COMPARED);
        verify_free(verify);
        return;
    }
    dl__next.clFinish(verify->queue->object.handle);
    if (run_native(verify) != CL_SUCCESS) {
        dl__log(DL__LOG_WARNING,
                "kernel %s, launch %lu is not verified: its own kernel fails",
                verify->kernel->name, verify->launch);
        dl__facts_verified(DL__NOT_COMPARED);
        verify_free(verify);
        return;
    }
    for (size_t i = 0; !differs && i < verify->count; i++) {
        struct watched *watched = &verify->watched[i];
        unsigned char *transformed = malloc(watched->mem->bytes);

        if (transformed &&
            read_buffer(watched->mem, verify->queue, transformed) == CL_SUCCESS &&
            memcmp(transformed, watched->native, watched->mem->bytes) != 0) {
            differs = true;
            racy = is_racy(verify);
            if (racy) {
                dl__log(DL__LOG_WARNING,
                        "verify: kernel %s, launch %lu: even as written, it gives a "
                        "different result each time, so it can't be verified",
                        verify->kernel->name, verify->launch);
            } else {
                report(verify, watched, transformed);
                verify->kernel->launched.native_only = true;
                verify->kernel->launched.differed = true;
                put_native(verify);
            }
        }
        free(transformed);
    }
    dl__facts_verified(racy ? DL__UNREPEATABLE : differs ? DL__DIFFERENT : DL__SAME);
    if (!differs)
        dl__log(DL__LOG_DEBUG, "verify: kernel %s, launch %lu: same bytes",
                verify->kernel->name, verify->launch);
    verify_free(verify);
}
