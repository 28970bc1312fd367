/* SPDX-License-Identifier: MIT */
/* Buffers of kernels without annotation, found in the text.
 *
 * Whether a layout pays is for others to say; here is only what could be given one:
 * pointers to structs, which would otherwise want `//DL: AoS: f[]` above their kernel,
 * and flat buffers whose every index is a row times one width, by a constant or an
 * argument, plus a place in the row. */
#ifndef DL_ANNOTATE_DETECT_H
#define DL_ANNOTATE_DETECT_H

#include "annotate/program/rewriter.h"

/* Adds the kernels that no annotation names and that have such buffers, with these bound.
 */
void dl__detect(struct dl__rewriter *w);

/* The width of a flat buffer's rows, as it would stand in an annotation. NULL: the
 * kernel's accesses to the argument do not agree on one. */
const char *dl__detect_width(struct dl__rewriter *w, struct dl__function *f,
                             size_t number);

/* The argument that is the length of the discrete arrays in a flat buffer, each index of
 * which is so many lengths, by constants or loops, and something else. NULL: there is
 * none. *sure: not only one length is ever added, as rows of a matrix are gone down. */
const char *dl__detect_length(struct dl__rewriter *w, struct dl__function *f,
                              size_t number, bool *sure);

#endif
