/* SPDX-License-Identifier: MIT */
/* The value of an #if expression. */
#ifndef DL_ANNOTATE_CONDITION_H
#define DL_ANNOTATE_CONDITION_H

#include "annotate/text/macro.h"

/* Evaluates fully expanded tokens (names left over are 0); false when malformed. */
bool dl__condition_eval(const struct dl__item *list, bool *out);

#endif
