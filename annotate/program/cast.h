/* SPDX-License-Identifier: MIT */
/* Arguments that the kernel casts before it uses them: `__global void *`, bytes. */
#ifndef DL_ANNOTATE_CAST_H
#define DL_ANNOTATE_CAST_H

#include "annotate/program/rewriter.h"

/* The type of the pointer that every mention of the argument becomes, where that is one
 * type and another than the argument's own; else the argument's. */
const struct dl__type *dl__type_in_use(struct dl__rewriter *w, struct dl__function *f,
                                       size_t number);

#endif
