/* SPDX-License-Identifier: MIT */
/* Volatile arguments: whether a kernel waits for what others write there. */
#ifndef DL_ANNOTATE_COUNTER_H
#define DL_ANNOTATE_COUNTER_H

#include "annotate/program/rewriter.h"

/* True when a function may wait for what others write to a volatile argument: it reads it
 * in a loop, and gives it to no atomic function there, as one does that adds by compare
 * and exchange; or the pointer goes where it is not followed. */
bool dl__may_wait(struct dl__rewriter *w, struct dl__function *f, size_t number);

#endif
