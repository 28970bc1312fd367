/* SPDX-License-Identifier: MIT */
/* Pointers that are one index: what the forms that have such do alike. See struct
 * dl__form. */
#ifndef DL_ANNOTATE_INDEX_H
#define DL_ANNOTATE_INDEX_H

#include "annotate/track/form.h"

/* Turns a place into `name(base, index, k... DL_ARGS(base)` and returns where the text
 * goes on; the caller puts *close and what closes the call there. */
size_t dl__index_edit_call(struct dl__unit *u, struct dl__node *n,
                           const struct dl__access *p, const char *before,
                           const char *name, const char **close);
size_t dl__index_edit_arguments(struct dl__unit *u, struct dl__node *n,
                                const struct dl__access *p, const char *before,
                                const char **close);
/* Edits from `at` on: puts `before` there, the struct index, and returns where the text
 * goes on. *close is what must stand first there. */
size_t dl__index_edit_struct(struct dl__unit *u, const struct dl__access *p, size_t at,
                             const char *before, const char **close);
void dl__index_edit(struct dl__unit *u, struct dl__node *n, bool converted);
void dl__index_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                             size_t end);
void dl__index_edit_change(struct dl__unit *u, struct dl__node *n);
void dl__index_edit_variable(struct dl__unit *u, struct dl__node *n);
const char *dl__index_parameters(struct dl__unit *u, const struct dl__root *root);
const char *dl__index_base(struct dl__unit *u, const struct dl__root *root,
                           const struct dl__variable *v);
const char *dl__index_entry(struct dl__unit *u, const struct dl__root *root);
const char *dl__index_describe(struct dl__arena *arena, const struct dl__root *root);

/* The members of a form whose pointers are such. */
#define DL__INDEX_OPERATIONS                                                             \
    .edit_index = dl__index_edit, .edit_argument = dl__index_edit_argument,              \
    .edit_change = dl__index_edit_change, .edit_variable = dl__index_edit_variable,      \
    .parameters = dl__index_parameters, .base = dl__index_base,                          \
    .entry = dl__index_entry, .describe = dl__index_describe

#endif
