/* SPDX-License-Identifier: MIT */
/* Pointers into buffers that helpers return. */
#ifndef DL_ANNOTATE_RETURNED_H
#define DL_ANNOTATE_RETURNED_H

#include "annotate/track/unit.h"

/* The root of a call whose function returns a pointer that comes from its arguments; NULL
 * for others. The copy of the function is held to that when it is tracked. */
struct dl__root *dl__root_of_call(struct dl__unit *u, struct dl__node *n);
/* The same of what a helper's copy returns. */
struct dl__root *dl__returned_root(struct dl__unit *u);

/* The argument in whose buffer what a call returns is, where that may be one of several;
 * NULL: the copy says itself which. */
struct dl__node *dl__far_returned_argument(struct dl__unit *u, struct dl__node *n);

#endif
