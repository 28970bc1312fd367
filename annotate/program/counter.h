/* SPDX-License-Identifier: MIT */
/* Arguments that are volatile because atomic functions take such pointers. */
#ifndef DL_ANNOTATE_COUNTER_H
#define DL_ANNOTATE_COUNTER_H

#include "annotate/program/rewriter.h"

/* True when a function gives the argument to atomic functions, and reads or writes it beside them at most,
 * as one does that adds by compare and exchange. What is only read may be waited for. */
bool dl__counts_alone(struct dl__rewriter *w, struct dl__function *f, size_t number);

#endif
