/* SPDX-License-Identifier: MIT */
/* What the builder says of a unit's text: what rewriting gave, or what has to be known of
 * the device first. It goes to the program beside the cache, for some of it is of no use
 * to later runs.
 *
 * Threads: a reply is the caller's. */
#ifndef DL_INTERCEPT_REPLY_H
#define DL_INTERCEPT_REPLY_H

#include "cache.h"
#include "unit.h"

struct dl__reply {
    enum dl_status status;
    char *text; /* NULL unless DL_OK */
    bool there; /* else there is none */
    bool kept;  /* from the cache: nothing was read for it */
    struct dl__record record;
    struct dl_annotate_times times;
    /* Conditions that only the device's compiler can decide, where the builder has no
     * such device; texts. If there are any, all the rest is empty. */
    struct dl__pack questions;
};

void dl__reply_free(struct dl__reply *reply);
/* In the builder: tells the program. */
void dl__reply_put(const struct dl__unit *unit, const struct dl__reply *reply);
/* In the program: what it was told, once; its remarks are not logged yet. False: nothing.
 */
bool dl__reply_take(const struct dl__unit *unit, struct dl__reply *reply);

#endif
