/* SPDX-License-Identifier: MIT */
/* Small questions about nodes. */
#ifndef DL_ANNOTATE_NODE_H
#define DL_ANNOTATE_NODE_H

#include "annotate/track/unit.h"

bool dl__op_is(const struct dl__node *n, const char *op);
/* Without parentheses and implicit conversions around it. */
struct dl__node *dl__strip(struct dl__node *n);
/* Without casts, too. */
struct dl__node *dl__strip_casts(struct dl__node *n);
const struct dl__type *dl__type_of(struct dl__unit *u, struct dl__node *n);
bool dl__is_assignment(const struct dl__node *n);
/* ++ or -- */
/* True when an expression may be evaluated twice. */
bool dl__is_pure(const struct dl__node *n);
bool dl__is_step(const struct dl__node *n);
/* True when a function is called in it. */
bool dl__has_call(const struct dl__node *n);
/* A sum that wraps at 2^32. */
bool dl__wraps_at_32_bits(const struct dl__type *type);
/* True when its text, or that of an implicit conversion of it, must stand in parentheses
 * to be an argument. */
bool dl__needs_parentheses(const struct dl__node *n);
/* Where the text inside a subscript's brackets begins and ends. */
void dl__bracket_range(struct dl__unit *u, struct dl__node *host, size_t *begin,
                       size_t *end);
/* The same of an index that is an argument of a builtin. */
void dl__index_range(struct dl__unit *u, struct dl__node *host,
                     const struct dl__node *index, size_t *begin, size_t *end);
/* Where a binary operator stands; refuses when the text has another there. */
size_t dl__operator_at(struct dl__unit *u, const struct dl__node *n, const char *reason);
/* The value of an enumerator, or of a literal within the range of an int. */
bool dl__literal_of(const struct dl__unit *u, const struct dl__node *n, int64_t *out);
/* The value of an expression of literals and enumerators, within the range of an int. */
bool dl__constant_of(const struct dl__unit *u, struct dl__node *n, int64_t *out);

#endif
