/* SPDX-License-Identifier: MIT */
/* Dimensions: integer expressions over the launch and the kernel's scalar arguments.
 *
 *     sum    = C's ?: || && == != < > <= >= << >> + - * / %, unary + - !, ( )
 *     atom   = literal | global_size(d) | global_offset(d) | local_size(d) |
 * num_groups(d) | min(a, b) | max(a, b) | arg(index, type, offset)
 *
 * All of a dimension is evaluated, both arms of a ?: too: where one divides by zero, so
 * does all.
 *
 * The last form is how tables name a scalar argument: its index, its type (i1 i2 i4 i8,
 * u1 .. u8) and the byte at which it stands in the argument's value. */
#ifndef DL_ANNOTATE_DIMENSION_H
#define DL_ANNOTATE_DIMENSION_H

#include "annotate/base/arena.h"
#include "annotate/notes.h"

/* Parses the tables' form, `bytes` long. NULL: it is malformed, and *reason, unless
 * `reason` is NULL, points to a static clause. */
struct dl_dimension *dl__dimension_parse(struct dl__arena *arena, const char *text,
                                         size_t bytes, const char **reason);

/* A step of its evaluation on a stack. */
struct dl__dimension_step {
    const char *name; /* of an operator or function, `arg`; "": a literal */
    size_t operands;
    int64_t value;         /* of a literal */
    size_t index;          /* of an argument, or of a launch's dimension */
    uint32_t offset_bytes; /* in an argument */
};

/* False: it has no more. */
bool dl__dimension_step(const struct dl_dimension *dimension, size_t number,
                        struct dl__dimension_step *out);

#endif
