/* SPDX-License-Identifier: MIT */
/* Where else a text mentions its kernels. */
#ifndef DL_ANNOTATE_MENTION_H
#define DL_ANNOTATE_MENTION_H

#include "annotate/program/rewriter.h"

/* Reads all names of the text once. A kernel whose arguments change must be mentioned
 * nowhere else, but where it is declared: notes where it is, in mentioned_at and
 * declarations. */
void dl__find_mentions(struct dl__rewriter *w);

#endif
