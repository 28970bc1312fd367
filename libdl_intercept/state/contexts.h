/* What DL keeps per context: its devices, its own objects, and the end of it all. */
#ifndef DL_INTERCEPT_CONTEXTS_H
#define DL_INTERCEPT_CONTEXTS_H

#include "objects.h"

/* A program with annotations was built: from now on the context's commands are tracked. */
void dl__context_set_annotated(struct dl__context *context);

/* DL's knowledge of a device of the context; NULL: out of memory. (L) */
struct dl__device *dl__context_device(struct dl__context *context, cl_device_id device);
/* Its marshaling kernels; NULL: the device can't run them (said once). (L) */
struct dl_marshal *dl__device_marshal(struct dl__context *context,
                                      struct dl__device *device);

/* Bracket the making and unmaking of DL's own objects in the context, so that
 * CL_CONTEXT_REFERENCE_COUNT can be answered without them. (L) */
cl_uint dl__context_count_begin(struct dl__context *context);
void dl__context_count_end(struct dl__context *context, cl_uint before);

/* Lets go of DL's own events and staging areas that nothing running needs. Drivers count what
 * an event belongs to as being referred to by it, and the program asks for such counts. */
void dl__context_settle(struct dl__context *context);
/* True when the command is complete, or has failed. */
bool dl__event_is_done(cl_event event);

/* The slot of a new queue. False: all taken; DL then leaves the context alone. (L) */
bool dl__context_slot_take(struct dl__context *context, struct dl__queue *queue);
/* The program's last release of the queue is about to be forwarded: keep an event that stands
 * for all its commands. (L) */
void dl__context_slot_retire(struct dl__context *context, struct dl__queue *queue);

/* Calls `visit` for every context of the program. It must not make or end one. */
void dl__contexts_visit(void (*visit)(struct dl__context *, void *), void *user);
/* A context came to be. */
void dl__context_begin(struct dl__context *context);
/* Releases everything DL made in the context: nothing of the program's is left in it. */
void dl__context_end(struct dl__context *context);

#endif
