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
/* The same of one buffer that was made in between. */
void dl__context_count_made(struct dl__context *context, cl_uint before) DL__WITH_LOCK;
/* The same where so many buffers are released, which a driver may let go of later. */
void dl__context_count_released(struct dl__context *context,
                                cl_uint buffers) DL__WITH_LOCK;
/* The same where so many buffers and queues were made, or released if negative, while
 * commands may be ending: a driver's threads let go of the context with each. */
void dl__context_count_copies(struct dl__context *context, int buffers,
                              int queues) DL__WITH_LOCK;
/* DL's part of the driver's count, with the workspaces of conversions, which come and go
 * by themselves. */
cl_uint dl__context_count_own(struct dl__context *context) DL__WITH_LOCK;

/* Calls `visit` for every context of the program. It must not make or end one. */
void dl__contexts_visit(void (*visit)(struct dl__context *, void *), void *user);

/* Commands that may never run. What waits for a user event is held back until the program
 * sets it, and is cancelled when the program sets it to an error; with it goes what waits
 * for its event, and with some drivers all that comes behind it on its queue.
 *
 * So while a user event is open, and after one has failed until the queues are finished,
 * the program's commands run as they are, on buffers in the program's layout: then the
 * bytes are right whatever becomes of a command, and no conversion has to wait for one
 * that the program holds back. A buffer that is in tiles when such a command needs it is
 * brought back behind the commands from before, which can't be cancelled, on a queue
 * where nothing can be cancelled.
 *
 * A period is the time from when the first user event is opened until none is open and
 * nothing can fall any more. */

/* True in a period. */
bool dl__cancel_in_period(const struct dl__context *context) DL__WITH_LOCK;
/* True in a period, or while a call that blocks is on its way. */
bool dl__cancel_possible(const struct dl__context *context) DL__WITH_LOCK;
/* True when a command of this period uses the buffer: no conversion may come behind it.
 */
bool dl__cancel_holds(const struct dl__mem *mem) DL__WITH_LOCK;
/* Why buffers stay as they are in a period. */
extern const char dl__cancel_reason[];

/* A buffer is brought back because of a user event. The more periods that happens in, the
 * longer nothing is tiled afterwards. */
void dl__cancel_returned(struct dl__context *context) DL__WITH_LOCK;
/* True when this launch is one of those that run as written after that. */
bool dl__cancel_waits(struct dl__context *context) DL__WITH_LOCK;

#endif
