/* SPDX-License-Identifier: MIT */
/* Why launches run as they do: the one table (reasons.def). Threads: safe. */
#ifndef DL_INTERCEPT_REASONS_H
#define DL_INTERCEPT_REASONS_H

#include <stdbool.h>
#include <stdio.h>

enum dl__why {
#define DL_REASON(name, ...) DL__WHY_##name,
#include "reasons.def"
#undef DL_REASON
    DL__WHYS
};

/* Its words, which live as long as the process. */
const char *dl__why_text(enum dl__why why);
/* The reason that a text is, or that it begins with, numbers behind it; DL__WHYS: none of
 * the table. */
enum dl__why dl__why_find(const char *text);
/* Whether its user can do something next; prints that, with the layout to name. */
bool dl__why_has_next(enum dl__why why);
void dl__why_print_next(FILE *out, enum dl__why why, const char *layout);

#endif
