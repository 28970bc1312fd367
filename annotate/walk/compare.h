/* SPDX-License-Identifier: MIT */
/* Comparisons and differences of pointers. */
#ifndef DL_ANNOTATE_COMPARE_H
#define DL_ANNOTATE_COMPARE_H

#include "annotate/track/unit.h"

/* Rewrites a comparison or difference that has a pointer into a buffer; false for others.
 */
bool dl__walk_comparison(struct dl__unit *u, struct dl__node *n);

#endif
