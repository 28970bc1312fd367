/* SPDX-License-Identifier: MIT */
/* Pointers that may point into one of several buffers of structs, or of scalars or
 * vectors that are a row each.
 *
 * Such a pointer is a dl_far: the buffer, the struct's index in it, and what its tiles
 * need. Its root is the unit's, one for each type of struct; buffers whose pointers are
 * not mixed keep their own. What is given to a helper points into one buffer there,
 * whichever it is. */
#ifndef DL_ANNOTATE_FAR_H
#define DL_ANNOTATE_FAR_H

#include "annotate/track/place.h"

/* True when the same accessors reach what both point to. */
bool dl__far_are_alike(const struct dl__root *a, const struct dl__root *b);
/* The root of pointers that may be of either root; NULL: none can be followed. */
struct dl__root *dl__far_of(struct dl__unit *u, struct dl__root *a, struct dl__root *b);
/* The variable, as it is called in the output, whose buffer such a pointer has: a name
 * that is moved. Refuses others. */
const char *dl__far_name(struct dl__unit *u, struct dl__node *n);
/* The variable of a parameter that is changed to point into another buffer; NULL: it is
 * not. */
const struct dl__variable *dl__far_parameter(const struct dl__unit *u,
                                             const struct dl__root *root);

#endif
