/* SPDX-License-Identifier: MIT */
/* Names of the program that generated text may have, too. */
#ifndef DL_ANNOTATE_NAMES_H
#define DL_ANNOTATE_NAMES_H

#include "annotate/program/rewriter.h"

/* False, remarked, when generated text would take one of the program's names for its own,
 * or a macro for another. Fills w->theirs; names that are made later are not the
 * program's. */
bool dl__names_are_free(struct dl__rewriter *w);

#endif
