/* SPDX-License-Identifier: MIT */
/* Pointers into one of several buffers: a dl_far, see track/far.h. */
#ifndef DL_ANNOTATE_FORMS_FAR_H
#define DL_ANNOTATE_FORMS_FAR_H

#include "annotate/track/place.h"

/* Rewrites a pointer that such a one is set to, into any buffer or null, to a dl_far. */
void dl__far_edit(struct dl__unit *u, struct dl__node *n);
/* Rewrites a statement that changes one. */
void dl__far_edit_change(struct dl__unit *u, struct dl__node *n);
/* Rewrites one to the arguments for a helper, as dl__index_edit_argument. */
void dl__far_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                           size_t end);
/* The buffer as an accessor's first argument, and its last ones. */
const char *dl__far_base(struct dl__unit *u, const struct dl__root *root,
                         const char *name);
/* Rewrites its comparison with a null pointer. */
void dl__far_edit_null_comparison(struct dl__unit *u, struct dl__node *n,
                                  struct dl__node *pointer);
/* What a function declares at its entry for a parameter that becomes one; "". */
const char *dl__far_entry(struct dl__unit *u, const struct dl__root *root);

#endif
