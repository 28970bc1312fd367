/* SPDX-License-Identifier: MIT */
/* The lines and files that the output claims to be: __LINE__ and __FILE__ are the
 * program's. */
#ifndef DL_ANNOTATE_LINES_H
#define DL_ANNOTATE_LINES_H

#include "annotate/program/rewriter.h"

/* The next line of the output is that of a file's byte. The main file's own name is the
 * driver's to know: it is given only where another file's was given before. */
void dl__print_line_mark(struct dl__rewriter *w, const struct dl__file *in,
                         size_t origin);
/* The user's own #line between two bytes of a file, or in a function, are in the output.
 */
void dl__pass_marks(struct dl__rewriter *w, const struct dl__file *in, size_t origin,
                    size_t until);
void dl__pass_marks_of(struct dl__rewriter *w, const struct dl__function *function);

#endif
