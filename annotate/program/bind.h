/* From annotations to kernels, buffers and dimensions. */
#ifndef DL_ANNOTATE_BIND_H
#define DL_ANNOTATE_BIND_H

#include "annotate/program/rewriter.h"

/* Finds the kernel of each annotation, fills w->kernels. */
void dl__bind_comments(struct dl__rewriter *w);
void dl__bind_side_file(struct dl__rewriter *w);
/* Reads a kernel's annotations into k->buffers; false, remarked, when one can't be
 * honoured. */
bool dl__read_annotations(struct dl__rewriter *w, struct dl__kernel *k);
/* True when one of a kernel's annotations is for discrete arrays, sound or not. */
bool dl__wants_soa(const struct dl__kernel *k);

#endif
