/* SPDX-License-Identifier: MIT */
/* Uses of accessors. */
#ifndef DL_ANNOTATE_USE_H
#define DL_ANNOTATE_USE_H

#include "annotate/accessors/kinds.h"
#include "annotate/track/place.h"

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
