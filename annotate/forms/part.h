/* SPDX-License-Identifier: MIT */
/* Pointers to parts of structs: a dl_part, see track/part.h. */
#ifndef DL_ANNOTATE_FORMS_PART_H
#define DL_ANNOTATE_FORMS_PART_H

#include "annotate/track/place.h"

/* Rewrites such a pointer to its dl_part. */
void dl__part_edit(struct dl__unit *u, struct dl__node *n);
/* Rewrites `&place`, or an array, to the place's dl_part; the place is all of `n`. */
void dl__part_edit_place(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p);
/* Rewrites a statement that changes one. */
void dl__part_edit_change(struct dl__unit *u, struct dl__node *n);
/* As dl__index_edit_struct, of a place that such a pointer leads to. */
size_t dl__part_edit_pointer(struct dl__unit *u, const struct dl__access *p, size_t at,
                             const char *before, const char **close);
/* The buffer as a helper takes it, with a comma. */
const char *dl__part_as_argument(struct dl__unit *u, const struct dl__root *root);
/* Rewrites the comparison or difference of two, or of one and a null pointer. */
void dl__part_edit_comparison(struct dl__unit *u, struct dl__node *n);

#endif
