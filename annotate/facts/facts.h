/* SPDX-License-Identifier: MIT */
/* The facts of a kernel's text about its accesses to buffers. */
#ifndef DL_ANNOTATE_FACTS_H
#define DL_ANNOTATE_FACTS_H

#include "annotate/track/unit.h"

enum { DL__FACTS_MAX = 512 }; /* of a buffer, when equal ones are one */

/* Every access to a buffer, equal ones once. */
struct dl__facts {
    struct dl__seen {
        struct dl_access_fact fact;
        size_t at; /* in the expanded text, of the first */
    } * items;
    size_t count, room;
};

/* Gives the roots of a tracked kernel their facts; none when there are more than can be
 * followed. And says whether its sums may be contracted. */
void dl__find_facts(struct dl__unit *kernel);

#endif
