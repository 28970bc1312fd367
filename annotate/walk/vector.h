/* SPDX-License-Identifier: MIT */
/* vload and vstore. */
#ifndef DL_ANNOTATE_VECTOR_H
#define DL_ANNOTATE_VECTOR_H

#include "annotate/track/unit.h"

/* Rewrites a vload or vstore on a buffer; false when the call is not such. */
bool dl__walk_vector_call(struct dl__unit *u, struct dl__node *n);

#endif
