/* Looking at tiled buffers through a bounded staging area: the host sees structs, the
 * buffer stays in tiles (Sung 2013, 5.2). Every function wants the context's lock held,
 * enqueues without blocking, and returns true when it has taken the command over, with
 * its result in *err; false: nothing was enqueued, the buffer has to be brought back
 * instead. */
#ifndef DL_INTERCEPT_STAGING_H
#define DL_INTERCEPT_STAGING_H

#include "objects.h"
#include "wait.h"

/* Reads bytes [offset, offset + bytes) as the program wrote them into `host`, piece by piece.
 *   done  out, may be NULL: the event of the last read, which is the program's to have */
bool dl__staged_read(struct dl__mem *mem, struct dl__queue *queue, const struct dl__wait *program,
                     size_t offset, size_t bytes, void *host, cl_event *done, cl_int *err);

/* Writes bytes [offset, offset + bytes) from `host`, piece by piece.
 *   done  out, may be NULL: a write command that completes when all is in place */
bool dl__staged_write(struct dl__mem *mem, struct dl__queue *queue,
                      const struct dl__wait *program, size_t offset, size_t bytes,
                      const void *host, cl_event *done, cl_int *err);

/* Frees the staging areas of a context that ends. */
void dl__staging_free(struct dl__context *context);

#endif
