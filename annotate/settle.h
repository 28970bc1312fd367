/* SPDX-License-Identifier: MIT */
/* The last pass: an output that builds. */
#ifndef DL_ANNOTATE_SETTLE_H
#define DL_ANNOTATE_SETTLE_H

#include "annotate/program/rewriter.h"

/* Prints the output text without the kernels that it would not build with; each is
 * remarked. False: without all of them. May leave through the arena. */
bool dl__settle(struct dl__rewriter *w);

#endif
