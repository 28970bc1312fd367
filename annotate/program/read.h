/* SPDX-License-Identifier: MIT */
/* From a text to its tree. */
#ifndef DL_ANNOTATE_READ_H
#define DL_ANNOTATE_READ_H

#include "annotate/program/rewriter.h"

/* Preprocesses and parses the text, with `more` options after the program's. Leaves
 * through the arena on errors. */
void dl__program_read(struct dl__rewriter *w, const char *more);

#endif
