/* SPDX-License-Identifier: MIT */
/* Comparing launches on the program's buffers. */
#include "compare.h"

#include <stdlib.h>

#include "libdl_intercept/base/clock.h"
#include "libdl_intercept/base/next.h"
#include "libdl_intercept/state/order.h"
#include "libdl_intercept/state/residence.h"
#include "unset.h"

/* Work-items that take slots by an atomic often come in the same order twice. */
enum { RUNS_AGAIN = 3, PIECE_BYTES = 1 << 20 };

struct dl__copies *dl__compare_begin(const struct dl__ndrange *range, const char **why)
{
    double begun = dl__clock_seconds();
    struct dl__copies *copies = NULL;

    *why = NULL;
    if (!range->waited)
        *why = "what comes before it has not ended";
    else if (dl__callouts_run())
        *why = "a native kernel may hold back what uses its buffers";
    else
        copies = dl__copies_find(range, why);
    if (copies)
        dl__unset_begin(copies, false);
    if (!*why && dl__copies_make(copies, true, why) &&
        dl__copies_take(copies, DL__BEFORE) != CL_SUCCESS)
        *why = "its buffers can't be copied";
    if (!*why && range->kernel->note->tells)
        *why = dl__copies_restore(copies, DL__WORK) == CL_SUCCESS
                   ? dl__copies_tell(copies)
                   : "its buffers can't be copied";
    if (!*why) {
        copies->spent_seconds = dl__clock_seconds() - begun;
        return copies;
    }
    dl__copies_free(copies);
    return NULL;
}

static DL__WITH_LOCK bool read_copy(const struct dl__copies *copies, cl_mem copy,
                                    size_t first, size_t count, unsigned char *out)
{
    return dl__next.clEnqueueReadBuffer(copies->own.object.handle, copy, CL_TRUE, first,
                                        count, out, 0, NULL, NULL) == CL_SUCCESS;
}

/* Reads the bytes around the first one that differs. */
static DL__WITH_LOCK void read_around(const struct dl__copies *copies,
                                      const struct dl__copied *found,
                                      struct dl__compared *out)
{
    size_t rest = found->mem->bytes - out->byte;

    out->first = out->byte < DL_LEAF_BYTES_MAX ? 0 : out->byte - DL_LEAF_BYTES_MAX + 1;
    out->count =
        out->byte - out->first + (rest < DL_LEAF_BYTES_MAX ? rest : DL_LEAF_BYTES_MAX);
    if (!read_copy(copies, found->of[DL__WORK], out->first, out->count, out->ours) ||
        !read_copy(copies, found->of[DL__RAN], out->first, out->count, out->native))
        out->count = 0;
}

/* The first pixel that differs, as if pixels were bytes of a buffer. */
static void describe_image(const struct dl__image *image, struct dl__compared *out)
{
    out->is_image = true;
    out->byte = out->first = image->pixel * image->pixel_bytes;
    out->count = image->pixel_bytes;
    memcpy(out->ours, image->ours, image->pixel_bytes);
    memcpy(out->native, image->theirs, image->pixel_bytes);
}

/* Finds the first byte that differs. */
static DL__WITH_LOCK void describe(const struct dl__copies *copies,
                                   const struct dl__copied *found,
                                   struct dl__compared *out)
{
    unsigned char *ours, *theirs;
    size_t bytes, at = 0, same = 0, count = 0;

    out->argument = found->arg_index;
    if (found->image) {
        describe_image(found->image, out);
        return;
    }
    bytes = found->mem->bytes;
    ours = malloc(PIECE_BYTES);
    theirs = malloc(PIECE_BYTES);
    while (ours && theirs && same == count && at + count < bytes) {
        at += count;
        count = bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES;
        same = 0;
        if (!read_copy(copies, found->of[DL__WORK], at, count, ours) ||
            !read_copy(copies, found->of[DL__RAN], at, count, theirs))
            break;
        while (same < count && ours[same] == theirs[same])
            same++;
    }
    free(ours);
    free(theirs);
    out->byte = at + same;
    if (out->byte < bytes)
        read_around(copies, found, out);
}

/* True when the program's own kernel, run again, gives something else than in RAN, and
 * not in gaps only. */
static DL__WITH_LOCK bool gives_something_else(struct dl__copies *copies)
{
    const struct dl__copied *found = NULL;
    bool does = false;
    double seconds;

    for (int run = 0; run < RUNS_AGAIN && !does; run++) {
        if (dl__copies_restore(copies, DL__WORK) != CL_SUCCESS ||
            dl__copies_run(copies, NULL, DL__WORK, &seconds) != CL_SUCCESS ||
            !dl__copies_compare(copies, DL__RAN, &found))
            break;
        does = found && !dl__unset_learn(copies);
    }
    return does;
}

void dl__compare_end(struct dl__copies *copies, cl_int err, struct dl__compared *out)
{
    const struct dl__copied *found = NULL;
    double begun = dl__clock_seconds(), seconds;

    *out = (struct dl__compared){.verdict = DL__NOT_EXPLORED};
    if (!copies)
        return;
    /* WORK is what the rewritten kernel has given. */
    if (err == CL_SUCCESS && dl__copies_take(copies, DL__WORK) == CL_SUCCESS &&
        dl__copies_restore(copies, DL__RAN) == CL_SUCCESS &&
        dl__copies_run(copies, NULL, DL__RAN, &seconds) == CL_SUCCESS &&
        dl__copies_compare(copies, DL__RAN, &found))
        out->verdict = found ? DL__DIFFERS : DL__EQUAL;
    if (out->verdict != DL__NOT_EXPLORED)
        out->native_seconds = seconds;
    out->gaps = out->verdict != DL__NOT_EXPLORED && dl__unset_only(copies);
    if (found)
        describe(copies, found, out);
    if (found && (copies->kernel->note->draws || gives_something_else(copies)))
        out->verdict = DL__UNJUDGED;
    else if (out->gaps && dl__unset_judge(copies, DL__RAN) == DL__EQUAL)
        out->verdict = DL__EQUAL;
    if (out->verdict == DL__DIFFERS)
        dl__copies_put_back(copies);
    out->spent_seconds = copies->spent_seconds + dl__clock_seconds() - begun;
    dl__copies_free(copies);
}
