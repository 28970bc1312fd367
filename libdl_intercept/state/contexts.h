/* SPDX-License-Identifier: MIT */
/* Contexts: their records, devices, and what DL makes in them. */
#ifndef DL_INTERCEPT_CONTEXTS_H
#define DL_INTERCEPT_CONTEXTS_H

#include "records.h"

extern struct dl__type dl__context_type;

static inline struct dl__context *dl__context_find(cl_context handle)
{
    return dl__object_find(&dl__context_type, handle);
}

/* The record of a handle the driver just returned; NULL: out of memory, the handle stays
 * unknown. When the context and all its objects are released, everything that DL made in
 * it goes. */
struct dl__context *dl__context_make(cl_context handle);

/* A program with annotations was built: from now on the context's commands are tracked.
 */
void dl__context_set_annotated(struct dl__context *context);

/* True when there has been one. */
bool dl__contexts_any_annotated(void);

/* True for devices of the context; NULL: there is none. A program may name anything,
 * which its driver refuses without a look at it: nothing is asked of a device before
 * this. */
bool dl__context_has_devices(const struct dl__context *context, cl_uint count,
                             const cl_device_id *devices);

/* DL's knowledge of a device of the context; NULL: out of memory. */
struct dl__device *dl__context_device(struct dl__context *context,
                                      cl_device_id device) DL__WITH_LOCK;
/* Its marshaling kernels; NULL: the device can't run them (said once). */
struct dl_marshal *dl__device_marshal(struct dl__context *context,
                                      struct dl__device *device) DL__WITH_LOCK;

/* Where the marshaling kernels of devices met from now on are kept; lives as long as the
 * process. */
void dl__contexts_use_binaries(const struct dl__binaries *binaries);

/* Bracket the making and releasing of DL's own objects in the context, so that
 * CL_CONTEXT_REFERENCE_COUNT can be answered without them. */
cl_uint dl__context_count_begin(struct dl__context *context) DL__WITH_LOCK;
void dl__context_count_end(struct dl__context *context, cl_uint before) DL__WITH_LOCK;
/* The same for the number of buffers and queues that were made, or released if negative,
 * while commands may be ending: a driver's threads let go of the context with each. */
static inline DL__WITH_LOCK void dl__context_count_made(struct dl__context *context,
                                                        int buffers, int queues)
{
    context->own_buffers += (cl_uint)buffers;
    context->own_queues += (cl_uint)queues;
}
/* DL's part of the driver's count, with the workspaces of conversions, which come and go
 * by themselves. */
cl_uint dl__context_count_own(struct dl__context *context) DL__WITH_LOCK;

/* Calls `visit` for every context of the program. It must not make or end one. */
void dl__contexts_visit(void (*visit)(struct dl__context *, void *), void *user);

#endif
