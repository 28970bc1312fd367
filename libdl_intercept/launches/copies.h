/* SPDX-License-Identifier: MIT */
/* Copies of all that a launch reaches, on which the program's kernel, or a rewritten one,
 * runs without being seen: each buffer once, however many arguments or sub-buffers name
 * it, as long as it is. They lie on the device, within --memory-cap, and DL's commands on
 * them go to a queue of its own. */
#ifndef DL_INTERCEPT_COPIES_H
#define DL_INTERCEPT_COPIES_H

#include "libdl_intercept/state/records.h"
#include "args.h"
#include "bind.h"

enum dl__verdict_of_copies {
    DL__EQUAL,
    DL__DIFFERS,
    DL__UNJUDGED, /* two runs of the program's own kernel differ */
    DL__NOT_EXPLORED
};

/* BEFORE: what the buffers held. WORK: what a kernel runs on. RAN: what the program's own
 * gave, where it may have to run again. ITSELF: no copy. */
enum dl__copy { DL__BEFORE, DL__WORK, DL__RAN, DL__COPIES, DL__ITSELF = DL__COPIES };

/* An image, as the driver describes it: DL keeps no record of images. */
struct dl__image {
    cl_mem itself;
    cl_image_format format;
    cl_image_desc desc;
    size_t region[3], pixel_bytes;
    size_t pixel; /* the first that differed, and what it held */
    unsigned char ours[16], theirs[16];
};

/* A buffer that the launch reaches, or behind those an image that it may write. */
struct dl__copied {
    struct dl__mem *mem;     /* the buffer itself, never a view of it; NULL: an image */
    struct dl__image *image; /* NULL: a buffer */
    unsigned arg_index;
    bool written;                         /* the kernel may write it */
    uint64_t bytes;                       /* of it, from its begin, that are copied */
    uint64_t compared;                    /* and of those, that are compared */
    const struct dl_buffer_note *structs; /* that the kernel writes, which have gaps;
                                             NULL: nothing is known of gaps */
    uint64_t unset;  /* of those, by bits, that don't count (unset.h) */
    uint64_t differ; /* of those, that the last comparison found to differ; `beyond`:
                        and other bytes do */
    bool beyond;
    uint64_t judged; /* unset.h */
    bool plain;      /* of a slice, and written: it has no structs, and is compared with
                        what the slice of the program's own kernel gave (RAN) */
    cl_mem of[DL__COPIES];
    double copy_seconds, there_seconds; /* of the last copy to WORK, and converting it */
};

struct dl__copies {
    struct dl__kernel *kernel;
    struct dl__queue *queue; /* the program's */
    struct dl__queue own;    /* DL's, in order; it tells times where the driver can */
    bool own_is_open;
    bool once; /* in, before they are made: there is no BEFORE, one run on WORK is all
                  there can be */
    struct dl__device *device;
    struct dl_marshal *marshal;
    struct dl__ndrange range;
    bool sees_gaps;   /* in, before they are made: comparisons tell which gaps differ */
    size_t items;     /* of the launch, that copies are made for; 0: all */
    size_t global[3]; /* as many of them a dimension */
    bool ran;         /* what the slice gave where it is `plain` is in RAN */
    uint64_t bytes, written_bytes;
    double spent_seconds; /* on them, before a launch that is compared */
    size_t count;
    struct dl__copied list[];
};

/* Finds the launch's buffers, without copying anything. NULL: they can't be copied, *why.
 * `range->mems` is set. */
struct dl__copies *dl__copies_find(const struct dl__ndrange *range,
                                   const char **why) DL__WITH_LOCK;
/* Makes the copies and the queue. False: there is no memory for them, or they would
 * exceed the cap; nothing is kept.
 *   again  the program's own kernel may have to run again: what it writes has a RAN, too,
 *          and what it does not write a BEFORE instead of a WORK; not `once` */
bool dl__copies_make(struct dl__copies *copies, bool again,
                     const char **why) DL__WITH_LOCK;
/* May be NULL. */
void dl__copies_free(struct dl__copies *copies) DL__WITH_LOCK;
/* True when copies would lie in memory that the host touches for the first time. */
bool dl__copies_touch(const struct dl__queue *queue) DL__WITH_LOCK;
/* Nothing more is explored in the context for now, or the program needs memory: what is
 * kept for later copies goes. False: there is nothing. */
bool dl__copies_let_go(struct dl__context *context) DL__WITH_LOCK;

/* Has the driver transfer what the program has handed over and no command has used yet:
 * the launch, which would wait for it, no longer does. Returns the seconds that took. */
double dl__copies_arrive(struct dl__copies *copies) DL__WITH_LOCK;
/* Copies what the buffers hold now, as the program sees it, to the copies that there are.
 * Comes behind all commands on them, and has ended when it returns. */
cl_int dl__copies_take(struct dl__copies *copies, enum dl__copy which) DL__WITH_LOCK;
/* The copies hold what the buffers held BEFORE; of what has no such copy, what the buffer
 * itself holds. They are in the program's layout. */
cl_int dl__copies_restore(struct dl__copies *copies, enum dl__copy which) DL__WITH_LOCK;
/* Converts a copy.
 *   seconds  out: as the device says, 0 where it does not */
cl_int dl__copies_convert(struct dl__copies *copies,
                          const struct dl_conversion *conversion, cl_mem copy,
                          double *seconds) DL__WITH_LOCK;
/* Runs the program's kernel, or a rewritten one, on copies; what has none there, on WORK
 * or BEFORE. Whatever comes of it, the kernel has the program's arguments again.
 *   shadow   NULL: the program's own
 *   seconds  out: as the device says, 0 where it does not */
cl_int dl__copies_run(struct dl__copies *copies, struct dl__shadow_kernel *shadow,
                      enum dl__copy which, double *seconds) DL__WITH_LOCK;
/* The first buffer or image whose WORK differs from another copy, or from ITSELF, among
 * those that the kernel may write, `beyond` before others; *found NULL: none does. Gaps
 * that are unset don't count. False: that can't be told. */
bool dl__copies_compare(struct dl__copies *copies, enum dl__copy other,
                        const struct dl__copied **found) DL__WITH_LOCK;
static inline struct dl__copied *dl__copies_of(struct dl__copies *copies,
                                               const struct dl__mem *root)
{
    for (size_t i = 0; i < copies->count; i++)
        if (copies->list[i].mem == root)
            return &copies->list[i];
    return NULL;
}

/* The buffers and images hold what the program's own kernel gave, which is in RAN,
 * wherever they lay before. */
void dl__copies_put_back(struct dl__copies *copies) DL__WITH_LOCK;

/* The reason where it would. */
extern const char dl__prints[];

/* Runs the kernel's text that tells whether it prints (annotate/print/print.c) on WORK,
 * which holds what the buffers held, and is stale then. NULL: it does not print on these,
 * or never does. Else dl__prints, or why that can't be told. */
const char *dl__copies_tell(struct dl__copies *copies) DL__WITH_LOCK;

/* Waits, without the context's lock, until what comes before the launch has ended. False:
 * it has not within the limit, has failed, or may wait for the program: the launch can't
 * be explored. */
bool dl__explore_wait(struct dl__queue *queue, const struct dl__ndrange *range,
                      double limit_seconds);

/* Converts the slice, from the begin of WORK to the plan's layout in WORK, or back to the
 * begin.
 *   again  what is not written has been converted before */
cl_int dl__slice_convert(struct dl__copies *copies, const struct dl__plan *plan,
                         bool there, bool again) DL__WITH_LOCK;

#endif
