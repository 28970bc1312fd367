/* SPDX-License-Identifier: MIT */
/* Comparing a rewritten launch on the program's buffers with the program's own on copies,
 * byte for byte, before the program sees it. Where they differ, the program gets what its
 * own kernel gave. */
#ifndef DL_INTERCEPT_COMPARE_H
#define DL_INTERCEPT_COMPARE_H

#include "libdl_intercept/base/options.h"
#include "bind.h"
#include "copies.h"

/* Says what has come of it. */
struct dl__compared {
    enum dl__verdict_of_copies verdict;
    double spent_seconds;  /* wall time that it took beyond the launch itself */
    double native_seconds; /* of the program's own kernel, as the device says; 0: it does
                              not */
    /* Where it DIFFERS. */
    unsigned argument; /* whose buffer or image does */
    bool gaps;         /* only where structs have no member, and both builds of the
                          program's own text agree (unset.h) */
    bool is_image;     /* `byte` is where the first pixel that differs begins, `count` its
                          bytes */
    size_t byte;       /* the first that does */
    /* Of that buffer, `count` bytes from `first` on, as the rewritten kernel and the
     * program's own gave them: those that a leaf with this byte in it may have. 0: they
     * can't be read */
    size_t first, count;
    unsigned char ours[2 * DL_LEAF_BYTES_MAX], native[2 * DL_LEAF_BYTES_MAX];
};

/* Copies what the buffers of the launch hold, wherever they lie; what comes before it has
 * been waited for (dl__explore_wait). NULL: it can't be compared, *why. Buffers may lie
 * elsewhere than before: a plan must be made again. */
struct dl__copies *dl__compare_begin(const struct dl__ndrange *range,
                                     const char **why) DL__WITH_LOCK;
/* The rewritten kernel is enqueued, or with another `err` is not. Where something differs
 * the program's own runs up to three times more: one that does not repeat itself is
 * UNJUDGED. Where it DIFFERS the buffers hold what the program's own gave, and lie as it
 * has them. Frees `copies`, which may be NULL: NOT_EXPLORED. */
void dl__compare_end(struct dl__copies *copies, cl_int err,
                     struct dl__compared *out) DL__WITH_LOCK;

/* ---- which launches are compared (check.c) ---- */

/* The oracle, --verify: a transformed launch also runs as the program wrote it, on
 * copies, and every buffer that it may write is compared byte for byte. A difference is
 * said, and leaves the kernel native from now on. It blocks: for finding out, not for
 * every day. */

/* Before the lock is taken for a launch that may be verified: waits for what comes before
 * it, whose callbacks may want the lock. False: it did not. Where --verify asks for any.
 */
bool dl__verify_wait(struct dl__queue *queue, const struct dl__ndrange *range);
/* Which rewritten launches are compared with what the program's own kernel gives:
 * where DL chooses the layout, those that the policy asks for
 * (policy/decide.c), annotated or not; else the first of a size, of kernels that
 * nobody annotated. A kernel that gives something else runs as written from then on. */

enum dl__check_when {
    DL__CHECK_NOT, /* it runs as planned */
    DL__CHECK_NOW,
    DL__CHECK_WAIT, /* what comes before must be waited for, without the lock */
    DL__CHECK_AS_WRITTEN
};

/* Of a launch on its way. */
struct dl__check {
    enum dl__check_when when;
    bool moved;               /* buffers may lie elsewhere than before: the plan must
                                 be made again */
    unsigned long verified;   /* the kernel's launch that --verify compares; 0: not it */
    struct dl__checked *size; /* NULL: the policy asked, or it is of no interest */
    struct dl__copies *compare; /* NULL: it is not compared */
};

/* Before any buffer is moved for a launch that a kernel built with `knobs` runs; NULL:
 * it is compared where the policy or --verify asks for that. */
struct dl__check dl__check_begin(const struct dl__ndrange *range,
                                 const struct dl__shadow_knobs *knobs) DL__WITH_LOCK;
/* The rewritten kernel is enqueued, or with another `err` is not. Where it gave other
 * bytes, the program does not see them. */
void dl__check_end(const struct dl__ndrange *range, struct dl__check *check,
                   cl_int err) DL__WITH_LOCK;

#endif
