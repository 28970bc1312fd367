/* SPDX-License-Identifier: MIT */
/* Which of a kernel's buffers are tracked, as many as go together, and names that clash.
 */
#ifndef DL_ANNOTATE_CHOOSE_H
#define DL_ANNOTATE_CHOOSE_H

#include "annotate/program/rewriter.h"

/* Tracks a kernel with as many of its buffers as go; the others leave its list, with a
 * remark of each, and those that nobody annotated also where another layout can't gain
 * anything. Discrete arrays stay as they are. The facts are found. NULL: none goes, which
 * is said. */
struct dl__unit *dl__track_chosen(struct dl__rewriter *w, struct dl__kernel *k);

/* False, remarked, when the program has a name or macro that is kept for generated text.
 */
bool dl__names_are_free(struct dl__rewriter *w);

/* Reads all names of the text once. A kernel whose arguments change must be mentioned
 * nowhere else, but where it is declared: notes where it is, in mentioned_at and
 * declarations. */
void dl__find_mentions(struct dl__rewriter *w);

#endif
