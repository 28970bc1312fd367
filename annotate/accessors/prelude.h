/* The definitions that all accessors and rewritten kernels rest on. */
#ifndef DL_ANNOTATE_PRELUDE_H
#define DL_ANNOTATE_PRELUDE_H

#include "annotate/base/arena.h"

void dl__prelude_print(struct dl__buf *out);

#endif
