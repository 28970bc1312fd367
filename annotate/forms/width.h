/* SPDX-License-Identifier: MIT */
/* The width of a flat buffer's rows. */
#ifndef DL_ANNOTATE_WIDTH_H
#define DL_ANNOTATE_WIDTH_H

#include "annotate/accessors/kinds.h"
#include "annotate/track/form.h"

/* The width of the rows of a flat buffer whose pointers are kept as two indices: that
 * only a launch knows, or a constant. */
struct dl__width {
    const char *value;     /* a C expression of type long over the kernel's arguments */
    const char *dimension; /* the same in the tables' form */
    const char *written;   /* the same as in the annotation, for messages */
    /* What the user wrote, as a product: expressions without the parentheses around
     * them, and a constant. */
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
/* True when a name is a constant of the function that is rows and so many elements: its
 * value less those is a multiple of the width. */
bool dl__is_rows(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                 int64_t *elements);
/* True for a conversion under which a sum or product stays that of its parts. */
bool dl__keeps_sums(struct dl__unit *u, struct dl__node *n);

#endif
