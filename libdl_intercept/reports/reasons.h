/* SPDX-License-Identifier: MIT */
/* Why launches run as they do: the one table (reasons.def). Threads: safe. */
#ifndef DL_INTERCEPT_REASONS_H
#define DL_INTERCEPT_REASONS_H

enum dl__why {
#define DL_REASON(name, ...) DL__WHY_##name,
#include "reasons.def"
#undef DL_REASON
    DL__WHYS
};

/* Its words, and what its user does next: "" for nothing. */
struct dl__reason {
    const char *text, *next;
};
extern const struct dl__reason dl__reasons[DL__WHYS];

static inline const char *dl__why_text(enum dl__why why)
{
    return dl__reasons[why].text;
}
/* The end of a reason for a run that is too short: the number of launches, or the time,
 * that are needed. The closing sentence looks for both. */
#define DL__WHY_LAUNCHES " about %lu launches of this kernel"
#define DL__WHY_LASTS " must last "
/* Behind the number of launches, where none was measured. */
#define DL__WHY_BY_TEXT ", as its text suggests"

/* The end of a reason: what the commands cost, of what a layout saves. */
#define DL__WHY_AS_MUCH " times as much"

/* The reason that a text is, or that it begins with, numbers or what is in the way behind
 * it; DL__WHYS: none of the table. */
enum dl__why dl__why_find(const char *text);

#endif
