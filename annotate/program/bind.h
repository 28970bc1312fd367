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

#endif
