/* SPDX-License-Identifier: MIT */
/* How large the integers in an index can be. */
#ifndef DL_ANNOTATE_MAGNITUDE_H
#define DL_ANNOTATE_MAGNITUDE_H

#include "annotate/track/unit.h"

/* True when an index of 64 bits, or what it is computed from, may pass 2^62 on its way: rows taken out
 * of it need not be rows then. An index that a launch gives lies below 2^40: other launches run as
 * written. */
bool dl__may_pass_64_bits(struct dl__unit *u, struct dl__node *n);

#endif
