/* SPDX-License-Identifier: MIT */
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
#ifndef DL_INTERCEPT_CANCEL_H
#define DL_INTERCEPT_CANCEL_H

#include "records.h"

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
