/* SPDX-License-Identifier: MIT */
/* Variables and their changes. */
#ifndef DL_ANNOTATE_LOCALS_H
#define DL_ANNOTATE_LOCALS_H

#include "annotate/track/unit.h"

/* True when the function may change what is declared there; *declaration is the
 * variable's, NULL for a parameter. */
bool dl__is_changed(struct dl__unit *u, size_t declared_at,
                    struct dl__node **declaration);
/* What stands in a pair of braces. */
struct dl__block {
    size_t begin, end;
};

/* The innermost one that a variable is declared in, which declares it anew each time it
 * is entered. */
struct dl__block dl__block_of(struct dl__unit *u, const struct dl__node *declaration);
/* How many changes that stand there may change what is declared at the place. */
size_t dl__count_changes(struct dl__unit *u, size_t declared_at, struct dl__block block);
/* True when the function declares nothing else of that name, so that it means the same
 * wherever it stands. */
bool dl__is_declared_once(struct dl__unit *u, const char *name, size_t declared_at);
/* True when a name is a parameter that the function never changes: *number. */
bool dl__is_fixed_parameter(struct dl__unit *u, const struct dl__node *n, size_t *number);

#endif
