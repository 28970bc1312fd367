/* SPDX-License-Identifier: MIT */
/* The elements of a buffer: their leaves, padding and alignment. */
#ifndef DL_ANNOTATE_ELEMENT_H
#define DL_ANNOTATE_ELEMENT_H

#include "annotate/tree/ast.h"

/* A step from a struct into one of its members: a field, then the indices of its
 * arrays. */
struct dl__step {
    const struct dl__field *field; /* NULL: an array index */
    const struct dl__type *type;   /* after the step */
};

/* The scalars and vectors of a struct, and its padding, as layout leaves, by rising
 * offset; those of a union's members that overlap are one leaf, unless they are the same.
 * NULL with a clause in *reason when it holds what has no leaves. */
struct dl_leaf *dl__struct_leaves(struct dl__arena *arena, const struct dl__struct *s,
                                  size_t *count, const char **reason);
/* The same of a type at `base`, which lies in such a struct. */
struct dl_leaf *dl__leaves_of(struct dl__arena *arena, const struct dl__type *type,
                              uint32_t base, size_t *count);
/* True when it has bytes that are no member's. */
bool dl__struct_has_padding(const struct dl__struct *s);
/* True when it has those, or a fourth place of a vector of three. Compilers may lose them
 * where such a struct is given to a function or returned by value. */
bool dl__struct_has_open_bytes(const struct dl__struct *s);
/* How wide the first leaf of the padding [from, to) of a struct is: a power of two, up
 * to 16. */
uint32_t dl__gap_width(uint32_t from, uint32_t to);
/* Returns the alignment of the widest of its scalars and vectors. */
uint32_t dl__struct_align(const struct dl__struct *s);
/* The last leaf that does not begin behind a byte. */
struct dl_leaf dl__leaf_at(const struct dl_leaf *leaves, size_t count,
                           uint32_t offset_bytes);
/* True when the steps lead through a union. Programs may read such a leaf as another type
 * than it was written as, which compilers allow through unions only: DL_ALIASED is one.
 * What leads to a part that they begin at, `from`, may be any way in the struct. */
bool dl__steps_cross_union(const struct dl__struct *element, const struct dl__type *from,
                           const struct dl__step *steps, size_t count);
/* True when a union is somewhere in it. */
bool dl__struct_has_union(const struct dl__struct *s);
/* True when each of its scalars and vectors is a leaf by itself: no union's members share
 * one. */
bool dl__leaves_are_members(struct dl__arena *arena, const struct dl__struct *s);
/* True when a leaf is not naturally aligned, so that none is under every tiling. */
bool dl__struct_is_packed(struct dl__arena *arena, const struct dl__struct *s);
/* "foo" for `struct foo`: fit to be part of a name. */
const char *dl__struct_tag(struct dl__arena *arena, const struct dl__struct *s);
/* The row type of a flat buffer, whose one field is the array of its elements; of width 0
 * one element, where only a launch knows the width. */
struct dl__struct *dl__flat_row(struct dl__arena *arena, const struct dl__type *element,
                                uint32_t width);

#endif
