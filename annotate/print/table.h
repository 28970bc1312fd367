/* SPDX-License-Identifier: MIT */
/* Tables. */
#ifndef DL_ANNOTATE_TABLE_H
#define DL_ANNOTATE_TABLE_H

#include "annotate/program/rewriter.h"

/* The lines from `//DL-kernel:` to `//DL-end:`. */
void dl__print_table(struct dl__rewriter *w, const struct dl__kernel *k);

#endif
