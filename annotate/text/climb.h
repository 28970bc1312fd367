/* SPDX-License-Identifier: MIT */
/* Binary operators of integer expressions, by precedence climbing: for #if and for
 * dimensions. */
#ifndef DL_ANNOTATE_CLIMB_H
#define DL_ANNOTATE_CLIMB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct dl__climb_operator {
    const char *text;
    int level; /* from 1; a higher one binds tighter */
    int code;  /* the caller's */
};

struct dl__climb_value {
    int64_t value;
    bool is_unsigned;
};

/* What a parser gives: its tokens, and what an operand and an operator mean to it. A
 * parser that emits code leaves the values alone. */
struct dl__climber {
    const struct dl__climb_operator *operators;
    size_t operator_count;
    /* Moves on after the next token, if it is this operator. */
    bool (*take)(void *parser, const char *text);
    struct dl__climb_value (*operand)(void *parser);
    struct dl__climb_value (*apply)(void *parser, const struct dl__climb_operator *op,
                                    struct dl__climb_value left,
                                    struct dl__climb_value right);
    bool (*has_failed)(const void *parser);
};

/* Parses an expression of operators of `lowest` level and above, as far as it goes. */
struct dl__climb_value dl__climb(const struct dl__climber *climber, void *parser,
                                 int lowest);

#endif
