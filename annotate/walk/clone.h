/* SPDX-License-Identifier: MIT */
/* Copies of helpers. */
#ifndef DL_ANNOTATE_CLONE_H
#define DL_ANNOTATE_CLONE_H

#include "annotate/track/unit.h"

/* The copy of a helper for calls in which these parameters point into buffers. */
struct dl__unit *dl__clone_for(struct dl__unit *u, struct dl__node *n,
                               struct dl__function *f, struct dl__root **by_parameter);

#endif
