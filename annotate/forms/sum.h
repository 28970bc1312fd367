/* SPDX-License-Identifier: MIT */
/* An index taken apart: rows, and a rest that may lie outside the row. */
#ifndef DL_ANNOTATE_SUM_H
#define DL_ANNOTATE_SUM_H

#include "annotate/values/integer.h"

/* What is written twice must not be, once it is nested: texts would double with each
 * level. */
enum { DL__TWICE_DEPTH_MAX = 4 };

struct dl__term {
    const char *text;
    bool negative;
    bool is_index; /* of type dl_index, or a literal: needs no conversion */
    const struct dl__integer *value; /* without the sign; NULL: not known */
};

struct dl__terms {
    struct dl__term *items;
    size_t count, room;
};

/* An index: rows * width + rest. */
struct dl__parts {
    struct dl__terms rows, rest;
};

/* What the expression `n`, at [begin, end), becomes when it is rewritten: one line. */
const char *dl__rewritten(struct dl__unit *u, struct dl__node *n, size_t begin,
                          size_t end);
void dl__terms_add(struct dl__unit *u, struct dl__terms *terms, struct dl__term term);
const char *dl__terms_text(struct dl__unit *u, const struct dl__terms *terms);
/* How much of the split of an index is certain before the kernel runs. */
enum dl__certainty {
    DL__UNCERTAIN,
    DL__EXACT, /* the rows are the index's where the rest is in the row */
    DL__INSIDE /* it is */
};
/* Moves whole rows out of a rest that lies in one row, and says what is certain then. */
enum dl__certainty dl__parts_settle(struct dl__unit *u, const struct dl__root *root,
                                    struct dl__node *index, struct dl__parts *parts);
/* The index as one sum of type dl_index. */
const char *dl__parts_text(struct dl__unit *u, const struct dl__root *root,
                           const struct dl__parts *parts);
/* Adds the terms of an expression, after which the text goes on at `stop`; false when the
 * text is not where the tree says it is. */
bool dl__parts_add_sum(struct dl__unit *u, const struct dl__root *root,
                       struct dl__node *n, size_t stop, bool negative,
                       struct dl__parts *out);
/* Adds an integer that stands at [begin, end) and is added to a pointer. */
void dl__parts_add_integer(struct dl__unit *u, const struct dl__root *root,
                           struct dl__node *n, size_t begin, size_t end, bool negative,
                           struct dl__parts *out);

#endif
