/* SPDX-License-Identifier: MIT */
/* Index functions: `ulong at(uint i, uint k) { return (ulong)i * 20 + k; }`. */
#ifndef DL_ANNOTATE_INDEX_CALL_H
#define DL_ANNOTATE_INDEX_CALL_H

#include "annotate/values/integer.h"

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
