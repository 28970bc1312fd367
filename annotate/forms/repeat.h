/* SPDX-License-Identifier: MIT */
/* Expressions that are written a second time. */
#ifndef DL_ANNOTATE_REPEAT_H
#define DL_ANNOTATE_REPEAT_H

#include "annotate/track/locals.h"

/* The expression as text in parentheses, made from the tree: of names, constants,
 * operators and calls of what only gives a number. NULL: it can't be evaluated once more.
 * With a block, it is to stand anywhere in it behind where it does: its names must mean
 * the same there and have the same value. */
const char *dl__repeat(struct dl__unit *u, struct dl__node *n,
                       const struct dl__block *block);

#endif
