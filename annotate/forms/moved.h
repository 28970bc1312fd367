/* SPDX-License-Identifier: MIT */
/* Members of a struct that is handed on, where they may be another pointer than the
 * buffer's argument (track/context.h): the index is how far the program's own pointer is
 * from the argument. */
#ifndef DL_ANNOTATE_MOVED_H
#define DL_ANNOTATE_MOVED_H

#include "annotate/track/context.h"

/* True of such a member, and of an assignment to one or a step of one. */
bool dl__is_moved(struct dl__unit *u, struct dl__node *n);
/* Rewrites one to an index. One that `may_be_null` is looked at twice. */
void dl__moved_edit_index(struct dl__unit *u, struct dl__node *n, bool may_be_null);
/* The same of a member, as text. */
const char *dl__moved_text(struct dl__unit *u, struct dl__node *n);
/* Leaves a pointer what the program has: a buffer's argument, a member, or a change of
 * one. */
void dl__moved_keep(struct dl__unit *u, struct dl__node *n);
/* Walks over values in braces: those that set such members, and others. */
void dl__moved_walk_braces(struct dl__unit *u, struct dl__node *n);

#endif
