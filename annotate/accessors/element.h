/* What the elements of a buffer are made of. */
#ifndef DL_ANNOTATE_ELEMENT_H
#define DL_ANNOTATE_ELEMENT_H

#include "annotate/tree/ast.h"

/* A step from a struct into one of its members: a field, then the indices of its
 * arrays. */
struct dl__step {
    const struct dl__field *field; /* NULL: an array index */
    const struct dl__type *type;   /* after the step */
};

/* The scalars and vectors of a struct as layout leaves, in declaration order; NULL with a
 * clause in *reason when it holds what has no leaves. */
struct dl_leaf *dl__struct_leaves(struct dl__arena *arena, const struct dl__struct *s,
                                  size_t *count, const char **reason);
/* True when the steps lead through a union. Programs may read such a leaf as another type than it
 * was written as, which compilers allow through unions only: DL_ALIASED is one. What leads to a part
 * that they begin at, `from`, may be any way in the struct. */
bool dl__steps_cross_union(const struct dl__struct *element, const struct dl__type *from,
                           const struct dl__step *steps, size_t count);
/* True when a leaf is not naturally aligned, so that none is under every tiling. */
bool dl__struct_is_packed(struct dl__arena *arena, const struct dl__struct *s);
/* "foo" for `struct foo`: fit to be part of a name. */
const char *dl__struct_tag(struct dl__arena *arena, const struct dl__struct *s);
/* The row type of a flat buffer, whose one field is the array of its elements; of width 0 one
 * element, where only a launch knows the width. */
struct dl__struct *dl__flat_row(struct dl__arena *arena, const struct dl__type *element,
                                uint32_t width);

#endif
