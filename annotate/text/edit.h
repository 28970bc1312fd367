/* SPDX-License-Identifier: MIT */
/* Edits of the expanded text, and the output text they make. */
#ifndef DL_ANNOTATE_EDIT_H
#define DL_ANNOTATE_EDIT_H

#include "annotate/text/preprocess.h"

struct dl__edit {
    size_t begin, end; /* an insertion when equal */
    const char *text;
    size_t order; /* as made: decides between insertions at one place */
};

struct dl__edits {
    struct dl__edit *items;
    size_t count, room;
};

/* The line breaks in [begin, end) are kept after `text`. */
void dl__edit_replace(struct dl__edits *edits, const struct dl__expanded *expanded,
                      size_t begin, size_t end, const char *text);
/* Sorts; false when two edits overlap. */
bool dl__edits_finish(struct dl__edits *edits);
/* The parts that are printed: the text where it stands; the text of a function elsewhere,
 * which may have text of included files in it; or an expression of it. Elsewhere other
 * macros may be defined: everything is expanded. */
enum dl__printed { DL__IN_PLACE, DL__COPY, DL__EXPRESSION };

/* Appends [begin, end) with its edits applied. In place, macro invocations that no edit
 * touches stay as the user wrote them; #define lines stay, other directives become empty
 * lines. False when the range holds more than one file, but for a copy, or an edit
 * swallows a directive; *at then says where. */
bool dl__edits_print(const struct dl__edits *edits, const struct dl__expanded *expanded,
                     size_t begin, size_t end, enum dl__printed as, struct dl__buf *out,
                     size_t *at);

#endif
