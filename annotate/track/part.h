/* SPDX-License-Identifier: MIT */
/* Pointers to parts of structs: to a member that is a struct, or into an array member.
 *
 * Such a pointer is a struct's index and an offset in the struct, together a dl_part. Its
 * root is the buffer's with what it points to, one for each such type; whatever part it
 * comes from, an accessor of that type takes it. */
#ifndef DL_ANNOTATE_PART_H
#define DL_ANNOTATE_PART_H

#include "annotate/track/place.h"

/* The root of pointers to `type` in the structs of a root; NULL: none can be followed. */
struct dl__root *dl__part_of(struct dl__unit *u, struct dl__root *root,
                             const struct dl__type *type);
/* `&place` of a struct in a struct, or an array member where it is used as a pointer: its
 * root. */
struct dl__root *dl__root_of_part(struct dl__unit *u, struct dl__node *n);
/* Finds those that point to single members: they must not be moved. */
void dl__find_single_parts(struct dl__unit *u, struct dl__node *body);
/* Refuses to move a pointer to a single member. */
void dl__check_moved(struct dl__unit *u, const struct dl__node *n,
                     const struct dl__root *root);
/* True when pointers of the root count structs, or stay in one; else elements. */
bool dl__is_of_structs(const struct dl__root *root);
/* The buffer as the first argument of an accessor. */
const char *dl__root_base(struct dl__unit *u, const struct dl__root *root);
bool dl__place_crosses_union(const struct dl__access *p);

/* A null pointer constant. */
bool dl__is_null(struct dl__unit *u, struct dl__node *n);
/* Puts the index that stands for it there. */
void dl__edit_null(struct dl__unit *u, struct dl__node *n, const char *text);
/* True when a pointer of the root can be set to what `n` is. */
bool dl__can_be_set_to(struct dl__unit *u, const struct dl__root *root,
                       struct dl__node *n);

#endif
