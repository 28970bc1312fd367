/* SPDX-License-Identifier: MIT */
/* Index functions: `int at(int i, int k) { return i * 20 + k; }`. */
#ifndef DL_ANNOTATE_INDEX_CALL_H
#define DL_ANNOTATE_INDEX_CALL_H

#include "annotate/track/unit.h"

enum { DL__MONOMIALS_MAX = 8, DL__ARGUMENTS_MAX = 4 };

/* A constant times arguments of the call. */
struct dl__monomial {
    int64_t coefficient;
    struct dl__node *arguments[DL__ARGUMENTS_MAX];
    size_t count;
};

struct dl__index_call {
    const struct dl__type
        *type; /* of all that the function computes: what arguments become */
    struct dl__monomial items[DL__MONOMIALS_MAX];
    size_t count;
};

/* True when a call's value is this sum, of the same terms as the function's: it returns a sum of products of its
 * parameters, all of one type, and nothing is lost when an argument is not evaluated, or twice. */
bool dl__is_index_call(struct dl__unit *u, struct dl__node *n,
                       struct dl__index_call *out);

#endif
