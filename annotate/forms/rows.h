/* SPDX-License-Identifier: MIT */
/* The forms of buffers, and what is known of indices into rows. */
#ifndef DL_ANNOTATE_ROWS_H
#define DL_ANNOTATE_ROWS_H

#include "annotate/track/form.h"
#include "annotate/values/integer.h"

/* Gives the root the form that its annotation asks for, with its element and shape; or
 * the binding its reason why not. */
void dl__form_bind(struct dl__binding *binding, struct dl__root *root);

/* The width in the root's text where it is a constant; 0: only a launch knows it. */
int64_t dl__width_constant(const struct dl__root *root);
/* True of discrete arrays of the program's own, whose pairs are the array and the struct.
 */
bool dl__is_of_arrays(const struct dl__root *root);
/* True when an argument of a call holds the width. */
bool dl__is_width(struct dl__unit *u, const struct dl__root *root, struct dl__node *n);

enum { DL__FACTORS_MAX = 16 };

struct dl__product {
    struct dl__node *items[DL__FACTORS_MAX];
    size_t count;
    int64_t constant;
};

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
