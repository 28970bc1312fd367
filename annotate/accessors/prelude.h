/* SPDX-License-Identifier: MIT */
/* The definitions that all accessors and rewritten kernels rest on. */
#ifndef DL_ANNOTATE_PRELUDE_H
#define DL_ANNOTATE_PRELUDE_H

#include <stdbool.h>

#include "annotate/base/arena.h"

void dl__prelude_add(struct dl__buf *out, bool has_grids);
/* Where it begins in a text, and the text behind it; NULL: nowhere. */
const char *dl__prelude_find(const char *text, const char **behind);
/* Texts that have all names of it, up to a NULL. */
const char *const *dl__prelude_texts(void);

#endif
