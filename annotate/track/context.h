/* SPDX-License-Identifier: MIT */
/* Buffers in a struct that is handed on: `struct ctx c = {f, n}; step(&c, i);`.
 *
 * Where such a member is never set to anything but one buffer's argument, it is another
 * name of it: it keeps the program's pointer, and what is reached through it is reached
 * from the buffer's argument. Where it is set to other pointers into that buffer, or is
 * moved, it goes on to hold the program's pointer, which never is looked through: the
 * index is how far it is from the argument (forms/index.c). A helper that takes the
 * struct gets the buffer as a further parameter. */
#ifndef DL_ANNOTATE_CONTEXT_H
#define DL_ANNOTATE_CONTEXT_H

#include "annotate/track/unit.h"

/* Finds the members of the kernel that is the unit; its roots must have their has_index.
 * True when there are more than before: what pointers are set from may have come to be
 * known. */
bool dl__find_contexts(struct dl__unit *u, struct dl__node *body);
/* True when a function takes or returns a struct with such members. */
bool dl__takes_contexts(const struct dl__unit *u, const struct dl__function *f);

/* True of a member that no kernel reads, nor what it reaches: they only set it. Its
 * struct is in no buffer, and never taken for another type. */
bool dl__is_unread(struct dl__unit *u, struct dl__node *member);

/* One value of a struct's. */
struct dl__braces_item {
    size_t number; /* of the field */
    struct dl__node *value;
};

static inline bool dl__is_braces(const struct dl__unit *u, const struct dl__node *n)
{
    return n->kind == DL__N_OTHER && dl__text_at(u, n->begin) == '{';
}

/* The i-th value in the braces of a struct; false where it is not clear which member that
 * is for: of values whose own braces are left out, and of designators of more than one
 * name. */
bool dl__braces_item(struct dl__unit *u, struct dl__node *n, size_t i,
                     struct dl__braces_item *out);

#endif
