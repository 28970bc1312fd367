/* SPDX-License-Identifier: MIT */
/* An index taken apart: rows, and a rest that may lie outside the row. */
#ifndef DL_ANNOTATE_SUM_H
#define DL_ANNOTATE_SUM_H

#include "annotate/accessors/accessor.h"
#include "annotate/track/form.h"
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

/* Returns the expression `n`, at [begin, end), as it is rewritten: one line. */
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

/* The width of the rows of a flat buffer whose pointers are kept as two indices: that
 * only a launch knows, or a constant. */
struct dl__width {
    const char *value;     /* a C expression of type long over the kernel's arguments */
    const char *dimension; /* the same in the tables' form */
    const char *written;   /* the same as in the annotation, for messages */
    /* The user's product: expressions without the parentheses around them, and a
     * constant. */
    struct {
        const char **items;
        size_t count, room;
    } factors;
    int64_t constant;
    const struct dl__row_kinds *kinds; /* the accessors; NULL: not by rows and rests */
};

enum { DL__FACTORS_MAX = 16 };

struct dl__product {
    struct dl__node *items[DL__FACTORS_MAX];
    size_t count;
    int64_t constant;
};

/* True when a buffer with a width is a pointer to scalars or vectors, and the width uses
 * nothing but arguments; else the reason is in the binding. */
bool dl__width_is_sound(struct dl__binding *binding);
/* Gives the root rows of so many elements; 0: only a launch knows it. */
void dl__width_give_rows(struct dl__binding *binding, uint32_t width,
                         struct dl__root *root);
/* The width in the root's text where it is a constant; 0: only a launch knows it. */
int64_t dl__width_constant(const struct dl__root *root);
/* The width that is made of arguments; NULL: the reason is in the binding. */
const struct dl__width *dl__width_make(struct dl__binding *binding,
                                       const struct dl__row_kinds *kinds);
/* True of discrete arrays of the program's own, whose pairs are the array and the struct.
 */
bool dl__is_of_arrays(const struct dl__root *root);
/* True when an argument of a call holds the width. */
bool dl__is_width(struct dl__unit *u, const struct dl__root *root, struct dl__node *n);
/* True when an expression, after which the text goes on at `stop`, is a multiple of the
 * width: *out is what it is multiplied with. */
bool dl__take_rows(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                   size_t stop, struct dl__product *out);

struct dl__index_call {
    const struct dl__type *type; /* that the function returns */
    /* Modulo 2^bits of the type. Its atoms are the function's parameters: their origin
     * has the argument and the parameter's type, which it is converted to. */
    const struct dl__polynomial *sum;
};

/* True when a call's value is this sum, and nothing is lost when an argument is not
 * evaluated, or twice. */
bool dl__is_index_call(struct dl__unit *u, struct dl__node *n,
                       struct dl__index_call *out);

#endif
