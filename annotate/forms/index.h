/* SPDX-License-Identifier: MIT */
/* Pointers that are one index: what the forms that have such do alike. See struct
 * dl__form. */
#ifndef DL_ANNOTATE_INDEX_H
#define DL_ANNOTATE_INDEX_H

#include "annotate/track/context.h"
#include "annotate/track/form.h"
#include "annotate/track/place.h"

/* Turns a place into `name(base, index, k... DL_ARGS(base)` and returns where the text
 * goes on; the caller puts *close and what closes the call there. */
size_t dl__index_edit_call(struct dl__unit *u, struct dl__node *n,
                           const struct dl__access *p, const char *before,
                           const char *name, const char **close);
size_t dl__index_edit_arguments(struct dl__unit *u, struct dl__node *n,
                                const struct dl__access *p, const char *before,
                                const char **close);
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

/* Rewrites a pointer that such a one is set to, into any buffer or null, to a dl_far. */
void dl__far_edit(struct dl__unit *u, struct dl__node *n);
/* The buffer as an accessor's first argument, and its last ones. */
const char *dl__far_base(struct dl__unit *u, const struct dl__root *root,
                         const char *name);
/* Rewrites its comparison with a null pointer. */
void dl__far_edit_null_comparison(struct dl__unit *u, struct dl__node *n,
                                  struct dl__node *pointer);
/* Returns the declaration at a function's entry of a parameter that becomes one; "". */
const char *dl__far_entry(struct dl__unit *u, const struct dl__root *root);

/* Rewrites such a pointer to its dl_part. */
void dl__part_edit(struct dl__unit *u, struct dl__node *n);
/* Rewrites `&place`, or an array, to the place's dl_part; the place is all of `n`. */
void dl__part_edit_place(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p);
/* Rewrites the comparison or difference of two, or of one and a null pointer. */
void dl__part_edit_comparison(struct dl__unit *u, struct dl__node *n);

/* True of such a member, and of an assignment to one or a step of one. */
bool dl__is_moved(struct dl__unit *u, struct dl__node *n);
/* The index that such a member stands for, as text. */
const char *dl__moved_text(struct dl__unit *u, struct dl__node *n);
/* Leaves a pointer what the program has: a buffer's argument, a member, or a change of
 * one. */
void dl__moved_keep(struct dl__unit *u, struct dl__node *n);
/* Walks over values in braces: those that set such members, and others. */
void dl__moved_walk_braces(struct dl__unit *u, struct dl__node *n);

#endif
