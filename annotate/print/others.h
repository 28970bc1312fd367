/* SPDX-License-Identifier: MIT */
/* Kernels that stay as they are, in a text whose kernels can be built without the others.
 */
#ifndef DL_ANNOTATE_OTHERS_H
#define DL_ANNOTATE_OTHERS_H

#include "annotate/program/rewriter.h"

/* Adds to w->placed where those begin and end that can be taken out of the text, and
 * returns how many. */
size_t dl__place_others(struct dl__rewriter *w);

#endif
