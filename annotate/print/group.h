/* SPDX-License-Identifier: MIT */
/* Which bytes of a file transformed kernels take up. */
#ifndef DL_ANNOTATE_GROUP_H
#define DL_ANNOTATE_GROUP_H

#include "annotate/program/rewriter.h"

/* A kernel may begin or end within what a macro makes, with other things around it: then
 * all that the invocation makes is printed, from its first byte to its last. */
size_t dl__made_from(struct dl__rewriter *w, size_t at);
size_t dl__made_until(struct dl__rewriter *w, size_t end);
/* Behind the last of the kernels from `first` on that share an invocation with the one
 * before. */
size_t dl__group_end(struct dl__rewriter *w, size_t first);
/* Where the file goes on after `end` of the expanded text. */
size_t dl__origin_behind(struct dl__rewriter *w, size_t end);
/* The directives inside a kernel go, but it may end conditionals that began before it (a
 * head under #ifdef, and another under #else), and begin others: how many. Both are
 * printed around it: what is left of them is the branch that is taken. */
void dl__count_conditionals(const struct dl__file *file, size_t at, size_t until,
                            unsigned *ended, unsigned *begun);

#endif
