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

/* The unit's scope, which has met the widths of its buffers before all else. */
struct dl__scope *dl__rows_scope(struct dl__unit *u);
/* Takes the multiples of the width out of an index: rows * width + rest. */
void dl__rows_split(struct dl__scope *scope, const struct dl__root *root,
                    struct dl__polynomial *rows, struct dl__polynomial *rest);

#endif
