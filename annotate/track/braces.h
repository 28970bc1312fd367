/* SPDX-License-Identifier: MIT */
/* Structs in types, and values in braces. */
#ifndef DL_ANNOTATE_BRACES_H
#define DL_ANNOTATE_BRACES_H

#include "annotate/track/unit.h"

/* One value of a struct's. */
struct dl__braces_item {
    size_t number; /* of the field */
    struct dl__node *value;
};

bool dl__is_braces(const struct dl__unit *u, const struct dl__node *n);
/* The i-th value in the braces of a struct; false where it is not clear which member that
 * is for: of values whose own braces are left out, and of designators of more than one
 * name. */
bool dl__braces_item(struct dl__unit *u, struct dl__node *n, size_t i,
                     struct dl__braces_item *out);
/* The struct that a member is of; NULL: it is none. */
const struct dl__struct *dl__struct_of_member(struct dl__unit *u, struct dl__node *n);
/* The struct that a type is, points to or is an array of; NULL: none. */
const struct dl__struct *dl__struct_in(const struct dl__type *type);
/* True when a value holds one of the struct, or points to one. */
bool dl__type_holds(const struct dl__type *type, const struct dl__struct *s);
bool dl__struct_holds(const struct dl__struct *type, const struct dl__struct *s);

#endif
