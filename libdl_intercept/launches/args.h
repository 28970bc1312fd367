/* SPDX-License-Identifier: MIT */
/* The sizes of a launch, and the objects that its arguments name. */
#ifndef DL_INTERCEPT_ARGS_H
#define DL_INTERCEPT_ARGS_H

#include "libdl_intercept/policy/policy.h"
#include "libdl_intercept/programs/kernels.h"
#include "libdl_intercept/state/residence.h"

/* DA's head is a multiple of this number of structs: a conversion moves the leaves of
 * that many as one run, which is fastest when they fill several cache lines
 * (docs/notes/marshal-speed.md). */
enum { DL__DA_TILE = 128 };

struct dl__choice;
struct dl__repeat;

/* The program's clEnqueueNDRangeKernel; `task`: it was a clEnqueueTask, the sizes are
 * 1. */
struct dl__ndrange {
    bool task;
    cl_uint work_dim;
    const size_t *offset, *global, *local;
    cl_uint wait_count;
    const cl_event *wait;
    cl_event *event;
    /* from here on as dl__launch fills them in: the queue, the kernel (NULL: DL does not
     * know it), and what each of its arguments names (dl__arg_mems) */
    struct dl__queue *queue;
    struct dl__kernel *kernel;
    struct dl__mem *const *mems;
    bool waited;               /* what comes before the launch is over */
    bool wait_failed;          /* it did not end in time */
    bool wants_wait;           /* it is to be waited for; nothing was launched */
    struct dl__repeat *known;  /* of earlier launches like it; NULL: nothing */
    struct dl__choice *choice; /* the policy's, from the launch's beginning to its end */
    cl_event shown; /* out: the call is to wait until open maps show what it wrote
                       (dl__view_wait); NULL: not so */
};

/* False: the driver will refuse the launch, and knows best how. */
static inline bool dl__ndrange_is_valid(const struct dl__ndrange *range)
{
    return range->work_dim >= 1 && range->work_dim <= 3 && range->global;
}

/* True when a memory object may be bound. */
static inline bool dl__arg_may_name(const struct dl__arg *arg)
{
    return arg->serial != 0 && !arg->null && !arg->svm && arg->bytes == sizeof(cl_mem);
}

/* The memory object that an argument may name: an 8-byte scalar may equal a handle, which
 * then costs a needless conversion but never a wrong result. NULL: none that DL
 * tracks. */
static inline struct dl__mem *dl__arg_mem(const struct dl__arg *arg)
{
    return dl__arg_may_name(arg) ? dl__mem_find(arg->value.mem) : NULL;
}

/* The same of all arguments of the kernel, each handle looked up once.
 *   mems  out, as many as the kernel has arguments */
void dl__arg_mems(const struct dl__kernel *kernel, struct dl__mem **mems);

/* A number that is another one where those of the kernel's arguments that name no buffers
 * have other values. */
uint64_t dl__arg_values(const struct dl__kernel *kernel, struct dl__mem *const *mems);

/* True when its kernel does nothing with the buffer, so that it may lie as it does. */
static inline bool dl__arg_is_unused(const struct dl__kernel *kernel, unsigned index)
{
    return kernel->note && kernel->note->unused_args && kernel->note->unused_args[index];
}

/* False: the kernel's text is known to read by this argument only. The flag
 * CL_MEM_READ_ONLY tells nothing: kernels write such buffers in real programs, which most
 * drivers let them. */
static inline bool dl__arg_is_written(const struct dl__kernel *kernel, unsigned index)
{
    if (dl__arg_is_unused(kernel, index))
        return false;
    for (size_t b = 0; kernel->note && b < kernel->note->buffer_count; b++)
        if (kernel->note->buffers[b].arg_index == index)
            return kernel->note->buffers[b].written;
    return true;
}

/* The buffer behind an annotated argument, never a view of it; NULL: DL tracks none. */
static inline struct dl__mem *dl__buffer_root(const struct dl__ndrange *range,
                                              size_t buffer)
{
    unsigned index = range->kernel->note->buffers[buffer].arg_index;

    return index < range->kernel->arg_count ? dl__mem_root(range->mems[index]) : NULL;
}

/* The program's kernel has the program's argument again, after DL gave it another. */
void dl__argument_back(struct dl__kernel *kernel, unsigned index) DL__WITH_LOCK;

/* The leaves of a buffer of an annotated kernel, in the width of its last launch, without
 * any (struct_bytes 0) where that is not known yet. Valid until the next. */
const struct dl_leaf_table *dl__kernel_leaves(const struct dl__kernel *kernel,
                                              size_t buffer) DL__WITH_LOCK;

/* A line at the annotation's place. */
void dl__plan_remark(const struct dl__kernel *kernel, const struct dl_buffer_note *note,
                     const char *text);

/* DL's state for a kernel on a device: the policy's record of it, and whether DL has
 * given it up, so that it runs as written from then on. A kernel that can't be built or
 * launched for one device may work for another; one that gave other bytes is given up on
 * all. */

/* Made where there is none; NULL: out of memory. */
struct dl__launched_on *dl__launched_on(struct dl__kernel *kernel,
                                        cl_device_id device) DL__WITH_LOCK;
void dl__give_up_on(struct dl__kernel *kernel, cl_device_id device) DL__WITH_LOCK;
/* The chosen candidate is not ready yet: it is asked for again, and the launch runs as
 * written. */
static inline DL__WITH_LOCK void dl__choice_building(const struct dl__ndrange *range)
{
    struct dl__launched_on *on = dl__launched_on(range->kernel, range->queue->device);

    if (on)
        on->ready = 0;
    dl__choice_unready(range->choice);
}

/* dl__device_lacks_linker of the queue's: the kernel runs as written, which is said. */
bool dl__lacks_linker(const struct dl__kernel *kernel,
                      const struct dl__queue *queue) DL__WITH_LOCK;
static inline DL__WITH_LOCK bool dl__is_given_up(const struct dl__kernel *kernel,
                                                 cl_device_id device)
{
    bool given_up = kernel->launched.native_only;

    for (const struct dl__launched_on *on = kernel->launched.on; on; on = on->next)
        given_up |= on->given_up && on->device == device;
    return given_up;
}

#endif
