/* SPDX-License-Identifier: MIT */
/* From annotations to kernels, buffers and dimensions. */
#ifndef DL_ANNOTATE_BIND_H
#define DL_ANNOTATE_BIND_H

#include "annotate/annotations/annotation.h"
#include "annotate/program/rewriter.h"

/* Finds the kernel of each annotation, fills w->kernels. */
void dl__bind_comments(struct dl__rewriter *w);
void dl__bind_side_file(struct dl__rewriter *w);
/* The kernel of w->kernels, which it is put into. */
struct dl__kernel *dl__kernel_of(struct dl__rewriter *w, struct dl__function *f);
/* Adds what a wish asks for to k->buffers, or remarks why it can't be honoured. */
void dl__bind_buffer(struct dl__rewriter *w, struct dl__kernel *k,
                     const struct dl__source *source, const struct dl__wish *wish);
/* Reads a kernel's annotations into k->buffers; what can't be honoured is remarked.
 * False: none can, or not all of those for discrete arrays. */
bool dl__read_annotations(struct dl__rewriter *w, struct dl__kernel *k);
/* True when one of a kernel's annotations is for discrete arrays, sound or not. */
bool dl__wants_soa(const struct dl__kernel *k);

/* The type of the pointer that every mention of the argument becomes, where that is one
 * type and another than the argument's own; else the argument's. */
const struct dl__type *dl__type_in_use(struct dl__rewriter *w, struct dl__function *f,
                                       size_t number);

/* Says how the work-items index a grid, which bits of its indices are busy, and the
 * layout that follows, for groups of 128 work-items on a device with bursts of 64 bytes:
 * what an H200 has. */
void dl__grid_explain(struct dl__rewriter *w, const struct dl__buffer *b);

#endif
