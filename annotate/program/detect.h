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

#endif
