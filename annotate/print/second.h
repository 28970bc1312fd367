/* SPDX-License-Identifier: MIT */
/* Generated functions, and kernels' second texts. For this room only. */
#ifndef DL_ANNOTATE_SECOND_H
#define DL_ANNOTATE_SECOND_H

#include "annotate/program/rewriter.h"

/* Generated functions: they start a line with `static`, where there is such a word.
 * Without it they are like the program's own. */
void dl__print_generated(struct dl__rewriter *w, const struct dl__buf *text);
/* The kernel's second text, in front of its first, which an #endif must follow. */
void dl__print_coalesced(struct dl__rewriter *w, const struct dl__kernel *k,
                         const struct dl__place *start);

/* The text that tells whether the kernel would print, in front of its first, which an
 * #endif must follow. False: it has none, and nothing is printed. */
bool dl__print_telling(struct dl__rewriter *w, const struct dl__kernel *k);

#endif
