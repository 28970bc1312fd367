/* SPDX-License-Identifier: MIT */
/* Pointers to one leaf: they stay pointers, and what they are given to must reach nothing
 * else. */
#ifndef DL_ANNOTATE_LEAF_POINTER_H
#define DL_ANNOTATE_LEAF_POINTER_H

#include "annotate/track/place.h"

/* A builtin that touches only what its pointer points to. */
bool dl__touches_one_leaf(const char *name);
/* A builtin that touches more. */
bool dl__reaches_neighbours(const char *name);
/* `&place` of a scalar or vector, or a variable that holds one, through casts to elements
 * of the same size. */
bool dl__is_leaf_pointer(struct dl__unit *u, struct dl__node *n);
void dl__edit_leaf_pointer(struct dl__unit *u, struct dl__node *n);
/* True when a function reaches only what this parameter points to, never its neighbours.
 */
bool dl__parameter_touches_one_leaf(struct dl__unit *u, struct dl__function *f,
                                    size_t parameter);

#endif
