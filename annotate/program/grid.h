/* SPDX-License-Identifier: MIT */
/* Grids, from their annotations. */
#ifndef DL_ANNOTATE_PROGRAM_GRID_H
#define DL_ANNOTATE_PROGRAM_GRID_H

#include "annotate/annotations/annotation.h"
#include "annotate/program/rewriter.h"

/* The grid that a wish describes. NULL: it can't be, and *reason says why. */
const struct dl__grid_wish *dl__grid_bind(struct dl__rewriter *w, struct dl__function *f,
                                          const struct dl__source *source,
                                          const struct dl__wish *wish,
                                          const char **reason);
/* Says how the work-items index a grid, which bits of its indices are busy, and the
 * layout that follows, for groups of 128 work-items on a device with bursts of 64 bytes:
 * what an H200 has. */
void dl__grid_explain(struct dl__rewriter *w, const struct dl__buffer *b);
/* As second brackets would say what its elements are, in a buffer of this type; NULL:
 * structs. */
const char *dl__grid_width(const struct dl__type *type);
/* A pointer to arrays of a grid's elements, as one to elements. */
const struct dl__type *dl__grid_pointer(struct dl__rewriter *w,
                                        const struct dl__type *type);

#endif
