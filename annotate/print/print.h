/* SPDX-License-Identifier: MIT */
/* The output text. */
#ifndef DL_ANNOTATE_PRINT_H
#define DL_ANNOTATE_PRINT_H

#include "annotate/program/rewriter.h"

/* Prints it into w->out, as often as it is wanted. */
void dl__print_all(struct dl__rewriter *w);

#endif
