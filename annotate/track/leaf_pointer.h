/* SPDX-License-Identifier: MIT */
/* Pointers to one leaf: they stay pointers, and what they are given to must reach nothing
 * else. */
#ifndef DL_ANNOTATE_LEAF_POINTER_H
#define DL_ANNOTATE_LEAF_POINTER_H

#include "annotate/accessors/accessor.h"
#include "annotate/track/place.h"

/* `&place` of a scalar or vector, or a variable that holds one, through casts to elements
 * of the same size. */
bool dl__is_leaf_pointer(struct dl__unit *u, struct dl__node *n);
void dl__edit_leaf_pointer(struct dl__unit *u, struct dl__node *n);
/* Rewrites a place, which is all of `n`, to its address. */
void dl__edit_to_address(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p);

/* The accessor of a place, noted as used by `n`. */
const struct dl__accessor *dl__use_place(struct dl__unit *u, struct dl__node *n,
                                         const struct dl__access *p,
                                         const struct dl__accessor_kind *kind);
/* The same of an element of a flat buffer. */
const struct dl__accessor *dl__use_element(struct dl__unit *u, struct dl__node *n,
                                           const struct dl__root *root,
                                           const struct dl__accessor_kind *kind);
/* The same of the elements that a vload or vstore reaches, `type` each. */
const struct dl__accessor *dl__use_vector(struct dl__unit *u, struct dl__node *n,
                                          const struct dl__access *p,
                                          const struct dl__accessor_kind *kind,
                                          const struct dl__type *type,
                                          const struct dl__vector_form *form);

#endif
