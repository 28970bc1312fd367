/* SPDX-License-Identifier: MIT */
/* Which of a kernel's buffers are tracked: as many as go together. */
#ifndef DL_ANNOTATE_CHOOSE_H
#define DL_ANNOTATE_CHOOSE_H

#include "annotate/program/rewriter.h"

/* Tracks a kernel with as many of its buffers as go; the others leave its list, with a
 * remark of each, and those that nobody annotated also where another layout can't gain
 * anything. Discrete arrays stay as they are. The facts are found. NULL: none goes, which
 * is said. */
struct dl__unit *dl__track_chosen(struct dl__rewriter *w, struct dl__kernel *k);

#endif
