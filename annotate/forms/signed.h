/* SPDX-License-Identifier: MIT */
/* Whether the rows that a pointer's sums are taken apart into are rows, without a look at them. */
#ifndef DL_ANNOTATE_SIGNED_H
#define DL_ANNOTATE_SIGNED_H

#include "annotate/track/form.h"

/* True when every sum and product that is added to a pointer like the buffer's, in the kernel and the
 * functions that it calls, is signed and has 32 bits. Nothing of it overflows then, so that its parts are what they
 * seem. */
bool dl__adds_signed(const struct dl__binding *binding);

/* True when every sum and product in `n` is signed, and nothing of it has more than 32 bits. */
bool dl__is_signed_sum(struct dl__unit *u, struct dl__node *n);

#endif
