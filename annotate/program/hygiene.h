/* SPDX-License-Identifier: MIT */
/* Names of the program and of generated text that would meet. */
#ifndef DL_ANNOTATE_HYGIENE_H
#define DL_ANNOTATE_HYGIENE_H

#include "annotate/program/rewriter.h"

/* False, remarked, when the program has a name or macro that is kept for generated text.
 */
bool dl__names_are_free(struct dl__rewriter *w);
/* Why a tracked unit can't be printed: a name that its generated text needs is a macro of
 * the program's, or one is in the way of an edit; the place in *at. NULL: it can. */
const char *dl__unit_fault(struct dl__rewriter *w, const struct dl__unit *unit,
                           size_t *at);

/* Reads all names of the text once. A kernel whose arguments change must be mentioned
 * nowhere else, but where it is declared: notes where it is, in mentioned_at and
 * declarations. */
void dl__find_mentions(struct dl__rewriter *w);

#endif
