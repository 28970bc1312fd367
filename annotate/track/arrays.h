/* SPDX-License-Identifier: MIT */
/* Pointers to arrays of a grid's elements, `float (*f)[NY][NX]`: a parameter, or a
 * variable that is set once from the buffer's argument, cast. They stay as they are, and
 * elements by all their indices, `f[z][y][x]`, are places; any other use refuses the
 * unit. */
#ifndef DL_ANNOTATE_ARRAYS_H
#define DL_ANNOTATE_ARRAYS_H

#include "annotate/track/place.h"

/* The scalar or vector inside arrays of arrays. */
const struct dl__type *dl__array_innermost(const struct dl__type *type);
/* True when a name of that variable is such a pointer, whatever its root. */
bool dl__is_array_pointer(struct dl__unit *u, struct dl__node *n,
                          const struct dl__variable *v);
/* Adds the variables that are such. */
void dl__find_array_pointers(struct dl__unit *u, struct dl__node *n);
/* The place that all indices of such a pointer name; false: it is none. */
bool dl__find_array_place(struct dl__unit *u, struct dl__node *n, struct dl__access *out);
void __attribute__((noreturn))
dl__refuse_array_pointer(struct dl__unit *u, const struct dl__node *n, const char *name);

#endif
