/* SPDX-License-Identifier: MIT */
/* Whether the rows that a pointer's sums are taken apart into are rows, without a look at them. */
#ifndef DL_ANNOTATE_SIGNED_H
#define DL_ANNOTATE_SIGNED_H

#include "annotate/track/form.h"

/* True when every sum and product that is added to a pointer like the buffer's, in the kernel and the
 * functions that it calls, is signed. Nothing of it overflows then, so that its parts are what they
 * seem. */
bool dl__adds_signed(const struct dl__binding *binding);

#endif
