/* SPDX-License-Identifier: MIT */
/* The forms of buffers, what those whose pointers are one index do alike, and what is
 * known of indices into rows. See struct dl__form. */
#ifndef DL_ANNOTATE_FORMS_H
#define DL_ANNOTATE_FORMS_H

#include "annotate/track/context.h"
#include "annotate/track/form.h"
#include "annotate/track/place.h"
#include "annotate/values/integer.h"
#include "layout/derive.h"

/* No expression is written twice below this depth of nesting, since texts would double
 * with each level. */
enum { DL__TWICE_DEPTH_MAX = 4 };

/* Of structs, and of flat buffers whose rows are one element each. */
extern const struct dl__form dl__form_structs, dl__form_flat;

/* Returns the expression `n`, at [begin, end), as it is rewritten: one line. */
const char *dl__rewritten(struct dl__unit *u, struct dl__node *n, size_t begin,
                          size_t end);

/* Rewrites a pointer that such a one is set to, into any buffer or null, to a dl_far. */
void dl__far_edit(struct dl__unit *u, struct dl__node *n);
/* The buffer as an accessor's first argument, and its last ones. */
static inline const char *dl__far_base(struct dl__unit *u, const struct dl__root *root,
                                       const char *name)
{
    return dl__format(u, "(%s %s *)%s.dl_f", dl__space_name(root->space),
                      dl__type_text(root->element->name), name);
}

/* Returns the declaration at a function's entry of a parameter that becomes one; "". */
const char *dl__far_entry(struct dl__unit *u, const struct dl__root *root);

/* Rewrites such a pointer to its dl_part. */
void dl__part_edit(struct dl__unit *u, struct dl__node *n);
/* Rewrites `&place`, or an array, to the place's dl_part; the place is all of `n`. */
void dl__part_edit_place(struct dl__unit *u, struct dl__node *n,
                         const struct dl__access *p);

/* True of such a member, and of an assignment to one or a step of one. */
bool dl__is_moved(struct dl__unit *u, struct dl__node *n);
/* Leaves a pointer what the program has: a buffer's argument, a member, or a change of
 * one. */
void dl__moved_keep(struct dl__unit *u, struct dl__node *n);
/* Walks over values in braces: those that set such members, and others. */
void dl__moved_walk_braces(struct dl__unit *u, struct dl__node *n);

/* How a kernel's work-items index a grid: the matrix that its accesses have in common
 * (layout/derive.h). */
struct dl__pattern {
    bool any;
    struct dl_grid_access access; /* of the first */
    const char *obstacle;         /* why there is none in common; NULL: there is */
};

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
