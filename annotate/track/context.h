/* SPDX-License-Identifier: MIT */
/* Buffers in a struct that is handed on: `struct ctx c = {f, n}; step(&c, i);`.
 *
 * Where such a member is never set to anything but one buffer's argument, it is another name of it: it keeps
 * the program's pointer, and what is reached through it is reached from the buffer's argument. A helper
 * that takes the struct gets the buffer as a further parameter. */
#ifndef DL_ANNOTATE_CONTEXT_H
#define DL_ANNOTATE_CONTEXT_H

#include "annotate/track/unit.h"

/* Finds the members of the kernel that is the unit; its roots must have their has_index. */
void dl__find_contexts(struct dl__unit *u, struct dl__node *body);
/* The buffer's variable that a member stands for; NULL: it is none. Refuses one whose struct is reached by
 * an expression that changes something. */
struct dl__variable *dl__context_variable(struct dl__unit *u, struct dl__node *n);
/* True when a name stands where it sets such a member, in braces. */
bool dl__sets_context(struct dl__unit *u, struct dl__node *n);
/* True when a function takes or returns a struct with such members. */
bool dl__takes_contexts(const struct dl__unit *u, const struct dl__function *f);
/* A function that has the unit's members as parameters behind its own, for a copy. */
struct dl__function *dl__with_contexts(struct dl__unit *u, struct dl__function *f);

#endif
