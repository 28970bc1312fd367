/* SPDX-License-Identifier: MIT */
/* A user's dimension in the tables' form: names become arguments with type and offset. */
#ifndef DL_ANNOTATE_RESOLVE_H
#define DL_ANNOTATE_RESOLVE_H

#include "annotate/tree/ast.h"

/* NULL when it can't be resolved, with a clause in *reason. */
const char *dl__resolve_dimension(struct dl__arena *arena,
                                  const struct dl__function *kernel, const char *text,
                                  const char **reason);
/* The user's text with numbers in place of enumerators, constants and sizeof, and without
 * the get_ before the sizes of the launch; NULL with a clause in *reason. */
const char *dl__resolve_constants(struct dl__arena *arena, struct dl__ast *ast,
                                  const struct dl__function *kernel, const char *text,
                                  const char **reason);
/* A dimension as a C expression of type long in the kernel; NULL when it uses the sizes
 * of the launch. */
const char *dl__resolve_value(struct dl__arena *arena, const char *text);
/* The member of that name, also in members without one; its offset is added to *offset.
 * NULL: there is none. */
const struct dl__field *dl__find_field(const struct dl__struct *s, const char *name,
                                       size_t bytes, uint32_t *offset);
/* The component of a vector that `x`, `s3` names; -1: none, or several. */
int dl__component_of(const char *name, size_t bytes);

#endif
