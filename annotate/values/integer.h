/* SPDX-License-Identifier: MIT */
/* One evaluation of a kernel's integers: each expression is a sum of products of what it
 * is made of, with a range. It goes through variables that never change, casts,
 * conditions and functions, and knows how far loops count. What it does not know is an
 * atom, never an error. */
#ifndef DL_ANNOTATE_INTEGER_H
#define DL_ANNOTATE_INTEGER_H

#include "annotate/track/unit.h"
#include "annotate/tree/ast.h"

enum { DL__DEGREE_MAX = 6, DL__POLYNOMIAL_TERMS_MAX = 40 };

struct dl__origin;

/* A factor that is not taken apart. */
struct dl__atom {
    size_t number; /* among all of an evaluation, by which those of a term are ordered */
    const struct dl__origin *origin; /* integer.h */
};

struct dl__polynomial_term {
    int64_t coefficient;
    const struct dl__atom *atoms[DL__DEGREE_MAX];
    size_t count;
};

/* `condition ? yes : no` */
struct dl__choice {
    struct dl__node *condition;
    const struct dl__polynomial *yes, *no; /* without choices */
};

struct dl__polynomial {
    struct {
        struct dl__polynomial_term *items;
        size_t count, room;
    } terms; /* all different, no coefficient is 0 */
    struct {
        struct dl__choice *items;
        size_t count, room;
    } choices; /* added to the terms */
};

/* All of these: false where coefficients pass 2^31, or terms or factors are too many. */
bool dl__polynomial_add_term(struct dl__arena *arena, struct dl__polynomial *to,
                             struct dl__polynomial_term term);
/* Adds `factor` times the other. */
bool dl__polynomial_add(struct dl__arena *arena, struct dl__polynomial *to,
                        const struct dl__polynomial *other, int64_t factor);
/* The sum with something in place of each atom, which the function adds to `to`; `whole`:
 * without choices. */
typedef bool dl__atom_fn(const void *user, const struct dl__atom *atom, bool whole,
                         struct dl__polynomial *to);
bool dl__polynomial_replace(struct dl__arena *arena, const struct dl__polynomial *sum,
                            dl__atom_fn *replace, const void *user,
                            struct dl__polynomial *out);
/* With what was converted in place of conversions, which is right modulo 2^32. */
bool dl__polynomial_unconverted(struct dl__arena *arena, const struct dl__polynomial *sum,
                                struct dl__polynomial *out);
static inline bool dl__polynomial_is_zero(const struct dl__polynomial *p)
{
    return !p->terms.count && !p->choices.count;
}

bool dl__polynomial_equal(const struct dl__polynomial *a, const struct dl__polynomial *b);
/* p = quotient * by + rest, where the rest `is_index`: below `by` where that can be seen.
 * `by` has no choices and is not 0. */
bool dl__polynomial_divide(struct dl__arena *arena, const struct dl__polynomial *p,
                           const struct dl__polynomial *by, bool is_index,
                           struct dl__polynomial *quotient, struct dl__polynomial *rest);

/* INT64_MIN and INT64_MAX: there is no such bound, or it lies beyond 64 bits with a sign.
 */
struct dl__range {
    int64_t lo, hi;
};
static inline bool dl__range_is_within(struct dl__range inner, struct dl__range outer)
{
    return inner.lo >= outer.lo && inner.hi <= outer.hi;
}

static inline struct dl__range dl__range_meet(struct dl__range a, struct dl__range b)
{
    return (struct dl__range){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

/* By a constant above 0, as C divides. */
static inline struct dl__range dl__range_divide(struct dl__range r, int64_t by)
{
    return (struct dl__range){r.lo == INT64_MIN ? r.lo : r.lo / by,
                              r.hi == INT64_MAX ? r.hi : r.hi / by};
}

struct dl__integer {
    /* Modulo 2^bits of its type, each atom being a number with a sign. */
    struct dl__polynomial sum;
    struct dl__range range; /* of the value that C gives it */
    bool is_exact;          /* the sum is that value, whatever its size */
};

/* The origin of an atom of an evaluation. */
struct dl__origin {
    struct dl__node
        *node; /* an expression; NULL: a conversion, or as integer_parameter has it */
    size_t declared_at; /* of a variable that never changes; SIZE_MAX: something else */
    size_t parameter;   /* of the function evaluated; SIZE_MAX: something else */
    const struct dl__type *type;
    struct dl__range range;
    bool is_counted; /* made of nothing but what loops count */
    /* Of a choice both values, of a conversion that may have changed it the number
     * before, of zero times a number that number; else NULL. */
    const struct dl__integer *of[2];
};

enum { DL__KNOWN_BUCKETS = 64 };

/* A function in one context. */
struct dl__scope {
    struct dl__unit *unit; /* for questions about its nodes */
    /* By parameter, each converted to its type; NULL: nothing is known of them. */
    const struct dl__integer **arguments;
    struct dl__evaluation *evaluation;
    /* Values found so far: variables by their place, atoms by their node's. */
    struct dl__known {
        uintptr_t key;
        const struct dl__integer *value;
        struct dl__known *next;
    } * known[DL__KNOWN_BUCKETS];
    unsigned depth; /* of calls */
};

/* All scopes of one evaluation share its atoms. */
struct dl__evaluation {
    size_t atom_count;
    unsigned long steps;
    unsigned nested;  /* expressions in expressions, also through variables */
    bool keeps_zeros; /* `0 * n` is an atom: who writes it thinks of n as a length */
    bool keeps_sums;  /* sums, shifts and conversions that change a value are seen through
                         no further than variables are */
    struct dl__derived *derived; /* what its dimensions are made of */
    /* Of who prints values: whether that of a variable's declaration, of a call, or of a
     * sum can stand in its place; if not, it is an atom. NULL: it always can. */
    bool (*sees_through)(struct dl__scope *scope, struct dl__node *n,
                         const struct dl__integer *value);
    const void *user;
};

/* The scope of a function by itself: a kernel, or a copy of a helper. */
struct dl__scope *dl__scope_make(struct dl__unit *unit);
/* That of a call of a function with a body, with what its arguments are. NULL: it is too
 * deep. */
struct dl__scope *dl__scope_of_call(struct dl__scope *caller, struct dl__node *call,
                                    struct dl__function *f);
/* The value of an expression of integer type where it stands. */
const struct dl__integer *dl__integer_of(struct dl__scope *scope, struct dl__node *n);
/* That of a parameter that the function never changes, where its arguments are not known.
 */
const struct dl__integer *dl__integer_parameter(struct dl__scope *scope, size_t number);
/* The value as another type has it. */
const struct dl__integer *dl__integer_converted(struct dl__scope *scope,
                                                const struct dl__integer *value,
                                                const struct dl__type *from,
                                                const struct dl__type *to);
const struct dl__integer *dl__integer_number(struct dl__arena *arena, int64_t value);
/* A dimension in the tables' form, of a kernel's arguments; in a helper, of parameters of
 * their names. Quotients and members in it are the same atoms where expressions that are
 * evaluated later are made so. NULL: a name is not there or may change, or it is too
 * large. */
const struct dl__integer *dl__integer_of_dimension(struct dl__scope *scope,
                                                   const struct dl__function *kernel,
                                                   const char *text);
/* a + factor * b, and a * b, as numbers of any size; NULL: too large to be followed. */
struct dl__integer *dl__integer_sum(struct dl__arena *arena, const struct dl__integer *a,
                                    const struct dl__integer *b, int64_t factor);
struct dl__integer *dl__integer_product(struct dl__arena *arena,
                                        const struct dl__integer *a,
                                        const struct dl__integer *b);
/* True of zero times a number, and of a conversion that may have changed one. */
static inline bool dl__is_zero_product(const struct dl__origin *origin)
{
    return origin->of[0] && !origin->range.lo && !origin->range.hi;
}

static inline bool dl__is_conversion_of(const struct dl__origin *origin)
{
    return origin->of[0] && !origin->of[1] && !dl__is_zero_product(origin);
}

static inline bool dl__is_integer_type(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u');
}

#endif
