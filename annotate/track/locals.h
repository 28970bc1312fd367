/* SPDX-License-Identifier: MIT */
/* Variables and their changes. */
#ifndef DL_ANNOTATE_LOCALS_H
#define DL_ANNOTATE_LOCALS_H

#include "annotate/track/unit.h"

/* True when the function may change what is declared there; *declaration is the variable's, NULL
 * for a parameter. */
bool dl__is_changed(struct dl__unit *u, size_t declared_at,
                    struct dl__node **declaration);
/* True when a name is a parameter that the function never changes: *number. */
bool dl__is_fixed_parameter(struct dl__unit *u, const struct dl__node *n, size_t *number);

#endif
