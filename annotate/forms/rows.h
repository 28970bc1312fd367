/* SPDX-License-Identifier: MIT */
/* Rewriting by rows and a rest, whatever a row is: of forms whose shape is a struct
 * dl__width. */
#ifndef DL_ANNOTATE_ROWS_H
#define DL_ANNOTATE_ROWS_H

#include "annotate/track/form.h"

void dl__rows_edit_value(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p);
void dl__rows_edit_address(struct dl__unit *u, struct dl__node *n,
                           const struct dl__access *p);
void dl__rows_edit_within(struct dl__unit *u, struct dl__node *n,
                          const struct dl__access *p, const char *before,
                          const char *after);
void dl__rows_edit_index(struct dl__unit *u, struct dl__node *n, bool converted);
void dl__rows_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                            size_t end);
void dl__rows_edit_base(struct dl__unit *u, struct dl__node *n, size_t begin, size_t end);
void dl__rows_edit_change(struct dl__unit *u, struct dl__node *n);
void dl__rows_edit_variable(struct dl__unit *u, struct dl__node *n);
const char *dl__rows_parameters(struct dl__unit *u, const struct dl__root *root);
const char *dl__rows_base(struct dl__unit *u, const struct dl__root *root,
                          const struct dl__variable *v);
const char *dl__rows_entry(struct dl__unit *u, const struct dl__root *root);
uint64_t dl__rows_shape_parameters(struct dl__unit *u, const struct dl__root *root,
                                   struct dl__node *call, const struct dl__function *f);

/* All of them, in a form. */
#define DL__ROWS_EDITS                                                                   \
    .edit_value = dl__rows_edit_value, .edit_address = dl__rows_edit_address,            \
    .edit_within = dl__rows_edit_within, .edit_base = dl__rows_edit_base,                \
    .edit_index = dl__rows_edit_index, .edit_argument = dl__rows_edit_argument,          \
    .edit_change = dl__rows_edit_change, .edit_variable = dl__rows_edit_variable,        \
    .parameters = dl__rows_parameters, .base = dl__rows_base, .entry = dl__rows_entry,   \
    .shape_parameters = dl__rows_shape_parameters

#endif
