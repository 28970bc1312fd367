/* SPDX-License-Identifier: MIT */
/* The records of contexts, their queues and memory objects: which part of each is whose.
 *
 * Locking. A context's `lock` guards the fields so marked of the context and of its
 * objects, and makes "change a buffer's layout and enqueue the command" one step.
 * Commands and arguments take it only in contexts where `annotated` is set, that is where
 * a program with annotations was built; in all others they are forwarded without a lock,
 * and only making and releasing objects takes it. */
#ifndef DL_INTERCEPT_RECORDS_H
#define DL_INTERCEPT_RECORDS_H

#include <stdint.h>

#include "layout/layout.h"
#include "libdl_intercept/base/locks.h"
#include "marshal_kernels/marshal.h"
#include "objects.h"

/* ---- contexts ---- */

/* Queues are told apart by bits, in the masks that say who may still use a buffer. */
enum { DL__QUEUE_SLOTS = 64 };

struct dl__queue_slot {
    struct dl__queue *queue DL__UNDER_LOCK; /* NULL: free, or retired */
    /* the last event of a released queue; NULL when settled */
    cl_event retired DL__UNDER_LOCK;
    /* DL's, where a period begins; NULL: none, or it has ended */
    cl_event mark DL__UNDER_LOCK;
};

struct dl__device {
    cl_device_id id;
    cl_device_type type;
    bool unified; /* it shares its memory with the host */
    uint64_t global_bytes;
    uint32_t preferred_multiple; /* of work-groups; 0: not asked yet */
    struct dl_marshal *marshal;  /* NULL: not made yet, or not possible */
    bool marshal_failed, has_rates;
    struct dl_rates rates; /* of its file, if it has been read */
    struct dl__device *next;
};

/* contexts.c: which of a context's commands may never run, or wait for the program. */
struct dl__cancel {
    unsigned open_events DL__UNDER_LOCK; /* user events whose status is not set */
    atomic_ullong falling;       /* slots of queues whose commands may fall with one */
    atomic_uint failures;        /* user events that failed */
    bool foreign DL__UNDER_LOCK; /* a launch waits for another context's: one open event
                                    more, for ever */
    unsigned passing DL__UNDER_LOCK; /* calls that block, without the lock */
    bool asked DL__UNDER_LOCK;       /* whether the driver races */
    bool races DL__UNDER_LOCK; /* DL's commands end before the program's are enqueued */
    bool in_flight DL__UNDER_LOCK;   /* where a period began there was work on a queue */
    unsigned periods DL__UNDER_LOCK; /* how often the first user event was opened */
    unsigned returns DL__UNDER_LOCK; /* periods that tiles were brought back in */
    unsigned returned_in DL__UNDER_LOCK;   /* the last of them */
    unsigned launches_left DL__UNDER_LOCK; /* as written, before tiles come again */
};

/* By how much an object of DL's raises the driver's count of its context: 0 or 1. */
struct dl__refs {
    cl_uint each;
    bool known;
};

struct dl__context {
    struct dl__object object;
    atomic_bool annotated;
    struct dl__mutex lock;
    /* How often the lock was taken so that what it guards may have changed. */
    uint64_t turns DL__UNDER_LOCK;
    struct dl__context *next;                  /* of all contexts (contexts.c) */
    struct dl__device *devices DL__UNDER_LOCK; /* those DL has met */
    cl_uint driver_refs DL__UNDER_LOCK; /* that DL's objects add to the context's */
    cl_uint own_buffers DL__UNDER_LOCK, own_queues DL__UNDER_LOCK; /* beside these */
    struct dl__refs refs_of_buffer DL__UNDER_LOCK, refs_of_queue DL__UNDER_LOCK;
    bool counts DL__UNDER_LOCK; /* DL made something before it was annotated */
    /* order.c */
    atomic_uint queue_count;
    struct dl__queue_slot slots[DL__QUEUE_SLOTS] DL__UNDER_LOCK;
    uint64_t early_queues DL__UNDER_LOCK; /* slots in use before `annotated` was set */
    /* order.c */
    struct dl__mem *used DL__UNDER_LOCK; /* by commands; chained by next_used */
    /* residence.c */
    struct dl__mem *tiled DL__UNDER_LOCK; /* not in AoS; chained by next_tiled */
    uint64_t copies_bytes DL__UNDER_LOCK; /* device memory in tiled copies */
    bool pinned DL__UNDER_LOCK; /* commands DL can't see may change: no more tiles */
    struct dl__cancel cancel;
};

/* ---- queues ---- */

struct dl__queue {
    struct dl__object object;
    cl_device_id device;
    bool out_of_order;
    bool profiled;        /* its events tell times */
    bool profiling_added; /* by DL, for statistics or the policy */
    bool times_by_turns;  /* of that: only while a command is enqueued that DL times */
    atomic_uint timing;   /* such commands at the moment */
    bool has_list;        /* the program gave a list of properties */
    bool list_changed;    /* by DL: profiling is in it */
    bool property_added;  /* by DL, to that list, which had none */
    atomic_uint commands; /* on buffers, so far */
    unsigned slot;
};

/* ---- memory objects ---- */

enum dl__mem_kind { DL__BUFFER, DL__SUB_BUFFER, DL__BUFFER_IMAGE };

/* residence.c: the layout it is in. The tuple of the thesis, 5.5.2: S, with the leaves it
 * was tiled by. Of the buffer, or of its copy: a READ_ONLY or USE_HOST_PTR buffer keeps
 * what the program has in it, its tiles live in a copy of DL's own. */
struct dl__residence {
    struct dl_layout layout DL__UNDER_LOCK;
    unsigned changes DL__UNDER_LOCK;            /* of it, so far, and of the leaves */
    struct dl_leaf_table leaves DL__UNDER_LOCK; /* in AoS: as before, none at first */
    /* to AoS, prepared before the way there was taken */
    const struct dl_conversion *back DL__UNDER_LOCK;
    struct dl__device *device DL__UNDER_LOCK; /* that `back` belongs to */
    cl_mem copy DL__UNDER_LOCK;               /* NULL: none */
    struct dl_rest *rest DL__UNDER_LOCK;      /* of a broken conversion: runs first */
    struct dl__device *rest_device DL__UNDER_LOCK; /* that `rest` belongs to */
    struct dl__mem *next_tiled DL__UNDER_LOCK;
    /* Why it may not be tiled now, or must stay as it lies. */
    unsigned pins DL__UNDER_LOCK;        /* images and recorded commands alive */
    unsigned sub_buffers DL__UNDER_LOCK; /* alive; kernels may run on tiles by them */
    bool recorded DL__UNDER_LOCK;        /* one of the pins is a recorded command */
    /* Set when a kernel has taken it for the program's own discrete arrays, or for
     * structs. */
    bool as_arrays DL__UNDER_LOCK, as_structs DL__UNDER_LOCK;
    enum dl_layout_kind host_kind DL__UNDER_LOCK; /* in which the host sees it: AOS, or as
                                                     it has asked for (hooks_layout.c) */
    unsigned host_maps DL__UNDER_LOCK; /* those that show it so: it stays as it lies */
};

/* The end of the commands of one queue on one buffer. */
struct dl__use {
    struct dl__use *next;
    unsigned slot;
    cl_event last;
};

/* order.c: what comes before and after its conversions, across queues. */
struct dl__order {
    bool early DL__UNDER_LOCK;   /* made before the context was annotated */
    bool is_used DL__UNDER_LOCK; /* it is in the context's chain */
    bool lost DL__UNDER_LOCK; /* a conversion failed for good: until it is overwritten */
    unsigned passing DL__UNDER_LOCK; /* calls that block on it, without the lock */
    unsigned used_in DL__UNDER_LOCK; /* the period of the last command on it */
    uint64_t users DL__UNDER_LOCK;   /* slots of queues with commands on it */
    /* of these, out-of-order queues with several at a time: none is marked by itself */
    uint64_t crowded DL__UNDER_LOCK;
    unsigned crowd DL__UNDER_LOCK; /* marked in a row while one before had not ended */
    struct dl__use *uses DL__UNDER_LOCK;    /* the last on each, of several */
    cl_event marshaled DL__UNDER_LOCK;      /* the last conversion; NULL: see the slot */
    unsigned marshaled_slot DL__UNDER_LOCK; /* its queue; DL__QUEUE_SLOTS: none */
    struct dl__mem *next_used DL__UNDER_LOCK;
};

struct dl__mem {
    struct dl__object object;
    enum dl__mem_kind kind;
    size_t bytes;
    cl_mem_flags flags;
    struct dl__mem *parent; /* held; sub-buffers, images of a buffer: the buffer */
    size_t origin_bytes;    /* of a sub-buffer, in its buffer */
    bool nameless;          /* the program has released it, but not what was made of it */
    bool excluded;          /* memory that others see too: never transformed */
    unsigned id;            /* for logs and statistics, 1-based */
    unsigned commands;      /* that used it, other than launches; for --advise */
    atomic_uint maps;       /* mapped regions, counted in every context */
    struct dl__residence residence;
    struct dl__order order;
};

/* The buffer behind a memory object: itself, or its parent. */
static inline struct dl__mem *dl__mem_root(struct dl__mem *mem)
{
    return mem && mem->parent ? mem->parent : mem;
}

static inline bool dl__context_is_annotated(struct dl__context *context)
{
    return context && atomic_load_explicit(&context->annotated, memory_order_acquire);
}

static inline void dl__context_lock(struct dl__context *context)
    DL__ACQUIRES(dl__context_at_hand);
/* Of who changes nothing that launches hang on, or calls dl__context_changes first. */
static inline void dl__context_lock_quietly(struct dl__context *context)
    DL__ACQUIRES(dl__context_at_hand);
static inline void dl__context_unlock(struct dl__context *context)
    DL__RELEASES(dl__context_at_hand);

static inline DL__WITH_LOCK void dl__context_changes(struct dl__context *context)
{
    context->turns++;
}

static inline void DL__UNCHECKED dl__context_lock_quietly(struct dl__context *context)
{
    dl__mutex_lock(&context->lock);
}

static inline void DL__UNCHECKED dl__context_lock(struct dl__context *context)
{
    dl__mutex_lock(&context->lock);
    dl__context_changes(context);
}

static inline void DL__UNCHECKED dl__context_unlock(struct dl__context *context)
{
    dl__mutex_unlock(&context->lock);
}

#endif
