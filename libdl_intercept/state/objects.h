/* DL's records of the program's OpenCL objects.
 *
 * A record is made when the program's create call succeeded and unmade before the program's last
 * release is forwarded; DL never retains an object of the program. Reference counts here count
 * the program's own retains and releases. An object that DL has no record of (made by an entry
 * point DL does not wrap) is forwarded untouched.
 *
 * Locking. A context's `lock` guards every field marked (L) of the context and of its objects,
 * and makes "change a buffer's layout and enqueue the command" one step. Commands and arguments
 * take it only in contexts where `annotated` is set, that is where a program with annotations was
 * built; in all others they are forwarded without a lock, and only making and releasing objects
 * takes it. It is recursive, because a driver may call the program
 * back on the same thread. It is not held while a blocking command waits. */
#ifndef DL_INTERCEPT_OBJECTS_H
#define DL_INTERCEPT_OBJECTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "annotate/annotate.h"
#include "libdl_intercept/hooks/hooks.h"
#include "layout/layout.h"
#include "marshal_kernels/marshal.h"

enum dl__object_type {
    DL__CONTEXT,
    DL__QUEUE,
    DL__MEM,
    DL__PROGRAM,
    DL__KERNEL,
    DL__USER_EVENT
};

struct dl__context;

/* What all records begin with. */
struct dl__object {
    enum dl__object_type type;
    void *handle;
    atomic_uint refs;            /* the program's */
    atomic_uint holds;           /* of these, those of other records (dl__object_hold) */
    struct dl__context *context; /* itself for a context */
    struct dl__object *next_free;
};

/* Queues are told apart by bits, in the masks that say who may still use a buffer. */
enum { DL__QUEUE_SLOTS = 64 };

struct dl__queue_slot {      /* (L) */
    struct dl__queue *queue; /* NULL: free, or retired */
    cl_event retired;        /* last event of a released queue; NULL when settled */
    cl_event mark; /* DL's, where a period begins; NULL: none, or it has ended */
};

struct dl__device { /* (L) */
    cl_device_id id;
    cl_device_type type;
    bool unified; /* it shares its memory with the host */
    uint64_t global_bytes;
    uint32_t preferred_multiple; /* of work-groups; 0: not asked yet */
    struct dl_marshal *marshal;  /* NULL: not made yet, or not possible */
    bool marshal_failed;
    struct dl__device *next;
};

/* Of a context: which of its commands may never run, or wait for the program (cancel.h). */
struct dl__cancel {
    unsigned open_events;  /* (L) user events whose status is not set */
    atomic_ullong falling; /* slots of queues whose commands may fall with one */
    atomic_uint failures;  /* user events that failed */
    unsigned passing;      /* (L) calls of the driver's that block, without the lock */
    unsigned periods;      /* (L) how often the first user event was opened */
    unsigned returns,
        returned_in;        /* (L) periods that tiles were brought back in; the last */
    unsigned launches_left; /* (L) as written, before buffers are tiled again */
};

struct dl__user_event {
    struct dl__object object;
    atomic_bool open; /* its status is not set */
};

struct dl__context {
    struct dl__object object;
    atomic_uint live; /* the program's objects in it, itself included */
    atomic_bool annotated;
    pthread_mutex_t lock;
    atomic_uint queue_count;
    struct dl__queue_slot slots[DL__QUEUE_SLOTS]; /* (L) */
    uint64_t early_queues;      /* (L) slots in use before `annotated` was set */
    struct dl__device *devices; /* (L) those DL has met */
    struct dl__mem *tiled;      /* (L) buffers not in AoS now, chained by next_tiled */
    struct dl__area *areas;     /* (L) to look at tiled buffers through */
    cl_mem tokens;              /* (L) staging.h; NULL: none yet */
    unsigned token_count;
    struct dl__mem *used;   /* (L) buffers that commands used, chained by next_used */
    struct dl__view *views; /* (L) of tiled buffers, for maps */
    uint64_t copies_bytes;  /* (L) device memory in tiled copies */
    bool pinned;            /* (L) commands DL can't see may change: no more tiles */
    struct dl__probe_answer *answers; /* (L) of compilers (probe.c) */
    struct dl__context *next;         /* of all contexts (contexts.c) */
    struct dl__pending *pending; /* (L) what recorded commands have to wait for (pin.c) */
    /* (L) command buffers, by the queues they are for */
    struct dl__recording *recordings;
    cl_uint driver_refs;      /* (L) what DL's own objects add to the context's count */
    struct dl__cancel cancel; /* what the program may cancel or hold back (cancel.h) */
};

struct dl__queue {
    struct dl__object object;
    cl_device_id device;
    bool out_of_order;
    bool profiling_added; /* by DL, for statistics */
    bool has_list;        /* the program gave a list of properties */
    bool list_changed;    /* by DL: profiling is in it */
    bool property_added;  /* by DL, to that list, which had none */
    unsigned slot;
};

/* The end of the commands of one queue on one buffer. */
struct dl__use {
    struct dl__use *next;
    unsigned slot;
    cl_event last;
};

enum dl__mem_kind { DL__BUFFER, DL__SUB_BUFFER, DL__BUFFER_IMAGE };

struct dl__mem {
    struct dl__object object;
    enum dl__mem_kind kind;
    size_t bytes;
    cl_mem_flags flags;
    struct dl__mem *parent; /* held; sub-buffers, images of a buffer: the buffer */
    size_t origin_bytes;    /* of a sub-buffer, in its buffer */
    bool early;             /* made before the context was annotated */
    bool nameless;          /* the program has released it, but not what was made of it */
    bool excluded;          /* memory that others see too: never transformed */
    unsigned id;            /* for logs and statistics, 1-based */

    atomic_uint maps; /* mapped regions, counted in every context */

    /* (L) Why else the buffer may not be transformed now. */
    unsigned pins;        /* images and recorded commands alive */
    unsigned sub_buffers; /* alive; kernels may run on tiles by them (part.h) */
    bool recorded;        /* one of the pins is a recorded command */

    /* (L) The tuple of the thesis, 5.5.2: S, with the leaves it was tiled by. Of the buffer, or
     * of its copy: a READ_ONLY or USE_HOST_PTR buffer keeps what the program has in it, its tiles
     * live in a copy of DL's own. */
    struct dl_layout layout;
    struct dl_leaf_table leaves; /* of AoS: as the layout before, none at first */
    /* to AoS, prepared before the way there was taken */
    const struct dl_conversion *back;
    struct dl__device *device; /* that `back` belongs to */
    cl_mem copy;               /* NULL: none; of a sub-buffer, its part of the copy */
    struct dl__view *view;     /* for maps (maps.h); NULL: none */
    struct dl_rest *rest;      /* of a conversion that broke off: runs before all else */
    struct dl__device *rest_device; /* that `rest` belongs to */
    bool lost; /* a conversion failed for good: until it is overwritten */
    struct dl__mem *next_tiled, *next_used;
    bool is_used; /* it is in the chain */

    /* (L) How the host wants to see it; NULL: as the program wrote it. */
    struct dl__host_layout *host;
    unsigned host_maps; /* of `maps`, those that show it so */

    /* (L) Order across queues. */
    unsigned used_in;        /* the last period that a command on it was enqueued in */
    uint64_t users;          /* slots of queues with commands on it */
    struct dl__use *uses;    /* the end of the last on each, where there are several */
    cl_event marshaled;      /* the last conversion; NULL: none, or see the slot */
    unsigned marshaled_slot; /* its queue; DL__QUEUE_SLOTS: none */
};

struct dl__arg {
    size_t bytes;
    uint32_t serial; /* rises with every set; 0: never set */
    bool null;       /* set with a NULL value: local memory, or no buffer */
    bool svm;
    union {
        unsigned char small[32];
        void *large; /* owned; bytes > 32 */
        cl_mem mem;
        const void *pointer;
    } value;
};

struct dl__program {
    struct dl__object object;
    char *source; /* NULL: not from source */
    size_t source_bytes;
    struct dl__rewrite *rewrite; /* (L) of the last build; NULL: not annotated */
    atomic_bool unsettled;       /* it may be one whose annotations are not read yet */
    struct dl__unit *unit;       /* (L) of the last clCompileProgram; NULL: none */
    char *demands;               /* (L) kernels that read discrete arrays (demand.h) */
};

/* The kernel DL launches in place of the program's (shadow.h). */
struct dl__shadow_kernel { /* (L) */
    struct dl__shadow *shadow;
    cl_kernel handle;
    uint32_t *serials; /* which setting of each argument it has */
    struct dl__shadow_kernel *next;
};

struct dl__kernel {
    struct dl__object object;
    char *name;                  /* NULL: not asked */
    struct dl__program *program; /* held */
    struct dl__arg *args;
    unsigned arg_count; /* of args: highest index set + 1 */
    uint32_t serial;
    const struct dl_kernel_note *note; /* as long as `rewrite`; NULL: not transformed */
    struct dl__rewrite *rewrite;
    bool svm_indirect;          /* clSetKernelExecInfo was used */
    bool native_only;           /* (L) DL gave up on it, and said why */
    unsigned long launches;     /* (L) transformed ones, where they are verified */
    const char *remarked;       /* (L) the last reason given */
    bool clamp_remarked;        /* (L) */
    bool dimension_remarked;    /* (L) */
    bool place_remarked;        /* (L) where a sub-buffer begins */
    bool cancel_remarked;       /* (L) that a user event may cancel it */
    unsigned failures;          /* (L) of transformed launches, one after the other */
    bool demanded;              /* it reads discrete arrays, and there is no text of it */
    bool refusal_said;          /* (L) that it can't be given its discrete arrays */
    struct dl_leaf_table *rows; /* (L) by buffer: of a width that a launch had; or NULL */
    struct dl__shadow_kernel *shadows; /* (L) */
};

/* Typed look-ups; NULL for unknown handles and handles of another type. */
struct dl__context *dl__context_find(cl_context handle);
struct dl__queue *dl__queue_find(cl_command_queue handle);
struct dl__mem *dl__mem_find(const void *handle);
struct dl__program *dl__program_find(cl_program handle);
struct dl__kernel *dl__kernel_find(cl_kernel handle);
struct dl__user_event *dl__user_event_find(cl_event handle);

/* Makes the record of a handle the driver just returned, with one reference, and counts it in
 * its context (not for contexts). NULL: out of memory, the handle stays unknown. */
void *dl__object_make(enum dl__object_type type, void *handle,
                      struct dl__context *context);
/* The program retained the handle. */
void dl__object_retain(enum dl__object_type type, void *handle);
/* One record needs another: a sub-buffer its buffer, a kernel its program, as in the driver. Let
 * go when the holding record ends. */
void dl__object_hold(void *record);
/* True when the program's next release of the object is its last, and another record needs it. */
bool dl__object_is_held_alone(const void *record);
/* To be called before the program's release is forwarded. When it is the last: takes the handle
 * out of the table and frees what the record owns; for a context, when it and all its objects
 * are released. */
void dl__object_release(enum dl__object_type type, void *handle);

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
{
    pthread_mutex_lock(&context->lock);
}

static inline void dl__context_unlock(struct dl__context *context)
{
    pthread_mutex_unlock(&context->lock);
}

#endif
