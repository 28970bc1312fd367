/* SPDX-License-Identifier: MIT */
/* The state of one proof. For this room only. */
#ifndef DL_ANNOTATE_PROVE_H
#define DL_ANNOTATE_PROVE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "annotate/program/rewriter.h"

/* Integer expressions as the values that they have at a random point.
 *
 * A variable, a load or a call in a text is one number modulo a prime, drawn from its
 * parts: two mentions of the same thing draw the same number. Sums, differences and
 * products of such numbers are those of the polynomials that the expressions are, so that
 * two expressions with one number are the same polynomial, but for a chance of their
 * degree in 2^61 (Schwartz and Zippel): equality is not looked for but computed.
 *
 * Every expression has three numbers. `exact` is that of its value in the whole numbers;
 * where unsigned arithmetic may have wrapped, that is a number of its own. `ring` is that
 * of its value modulo 2^R, R the bits of dl_index, where wrapping changes nothing. Signed
 * arithmetic does not overflow, as C has it, and an index of 64 bits does not wrap,
 * unless its bounds let it. */

#define DL__PRIME (((uint64_t)1 << 61) - 1)
typedef uint64_t dl__number;
typedef __int128 dl__bound;

dl__number dl__number_of(dl__bound value);

static inline dl__number dl__number_add(dl__number a, dl__number b)
{
    return (a + b) % DL__PRIME;
}

static inline dl__number dl__number_subtract(dl__number a, dl__number b)
{
    return (a + DL__PRIME - b) % DL__PRIME;
}

static inline dl__number dl__number_multiply(dl__number a, dl__number b)
{
    return (dl__number)((unsigned __int128)a * b % DL__PRIME);
}

/* Draws the number of what is made of a word and other numbers. */
dl__number dl__draw(const char *word, dl__number a, dl__number b, dl__number c);
/* The same of a text. */
dl__number dl__draw_text(const char *word, const char *text, size_t bytes);

struct dl__integer {
    dl__number exact, ring, word;
    dl__bound low, high; /* of its value, before it wraps */
    uint32_t multiple;   /* that value is a multiple of this one; 0 says as little as 1 */
    unsigned bits;
    bool is_signed;
    bool may_wrap; /* `exact` is its value before it wraps at 2^bits */
    bool is_vast;  /* a sum or product in it may pass 2^64: it need not be exact */
};

struct dl__integer dl__integer_constant(dl__bound value, unsigned bits, bool is_signed);
/* A value that is known by nothing but its number. */
struct dl__integer dl__integer_opaque(dl__number number, unsigned bits, bool is_signed);
/* The type's smallest and largest. */
void dl__integer_limits(unsigned bits, bool is_signed, dl__bound *low, dl__bound *high);
/* Its value, with `exact` and `ring` to be compared and drawn from. `index_bits` is R. */
struct dl__integer dl__integer_sealed(struct dl__integer a, unsigned index_bits);
struct dl__integer dl__integer_convert(struct dl__integer a, unsigned bits,
                                       bool is_signed, unsigned index_bits);
/* + - * of two of one type. */
struct dl__integer dl__integer_combine(char op, struct dl__integer a,
                                       struct dl__integer b);
bool dl__integer_is_constant(struct dl__integer a, int64_t *value);

/* A buffer of a kernel, as the tables have it. */
struct dl__proved_buffer {
    const struct dl_buffer_note *note;
    bool is_tiled;
    dl__number number;              /* of its address */
    const struct dl__type *element; /* that the program's pointer steps over */
    uint32_t unit_bytes;            /* of that */
    bool is_flat;                   /* rows of such elements, else it is the struct */
    struct dl__integer row;         /* bytes in a row or struct */
    struct dl__integer width;       /* elements in a row */
    struct dl__integer head, tail;  /* of its tiling */
    dl__number structs;             /* head + tail */
};

/* Where in its struct something may lie. */
struct dl__offsets {
    uint32_t *items;
    size_t count, room;
};

/* A condition that decided a branch in an accessor: left < right, or not. */
struct dl__fact {
    bool is_less;
    struct dl__integer left, right;
};

/* x = quotient * divisor + rest */
struct dl__division {
    struct dl__integer dividend, divisor, quotient, rest;
    dl__number raw_rest; /* of the dividend before it wraps */
};

/* A place as the rewritten text reaches it: by the formula, or where the program had it.
 */
struct dl__reached {
    bool is_tiled;
    struct dl__integer index, row, offset, width, extra;
    dl__number head, tail; /* that the formula is given */
    struct dl__fact *facts;
    size_t fact_count;
    struct dl__division *divisions; /* on the way to it */
    size_t division_count;
};

enum dl__known_kind {
    DL__K_OPAQUE, /* by its number alone */
    DL__K_INTEGER,
    DL__K_PLACE, /* a pointer, or what it points to */
    DL__K_PART,  /* a dl_part */
    DL__K_FAR,   /* a dl_far: `buffer`, NULL of none, and the struct's index */
    DL__K_TILED  /* the byte that the formula gives */
};

/* The value of an expression, as far as it is known. */
struct dl__known {
    enum dl__known_kind kind;
    dl__number number;          /* of what is opaque; of a place in no buffer: its base */
    struct dl__integer integer; /* of a part: the struct's index */
    const struct dl__proved_buffer *buffer; /* of a place; NULL: in none */
    struct dl__integer steps; /* of a place in a buffer: elements from its begin */
    struct dl__integer inner; /* and bytes; of a part, too */
    struct dl__offsets offsets;
    uint32_t array_bytes;      /* of the array that the pointer goes over; 0: not known */
    struct dl__reached *spots; /* of a place, in the rewritten text */
    size_t spot_count;
    struct dl__variable_known *variable; /* a place that is one */
    bool is_base; /* the buffer of a dl_far, whose index is `integer` */
};

enum dl__relation { DL__R_COMMON, DL__R_VALUE, DL__R_INDEX, DL__R_PART, DL__R_FAR };

/* The row and the rest that a pointer has become: what is known besides their sum modulo
 * 2^R. */
struct dl__split {
    bool is_exact; /* row * width + rest is the element's index in the whole numbers */
    bool is_vast;  /* as the element's index */
    bool is_near;  /* row * width lies in the buffer, or at most DL__NEAR off it */
    dl__bound low, high; /* of the rest, where it is exact */
};

enum { DL__NEAR = 1 << 29 };

/* That of a variable of the program's, in all of a function. */
struct dl__split_of {
    size_t at; /* where it is declared */
    struct dl__split split;
    unsigned changes;
};

/* A variable in scope of one of the texts. */
struct dl__variable_known {
    const char *name;
    size_t at;
    const struct dl__type *type;
    dl__number number; /* of the variable, the same in both texts */
    unsigned version;  /* how often it was set in this expression */
    enum dl__relation relation;
    struct dl__known value; /* but of DL__R_COMMON: what it holds */
    bool is_set, is_kept;
    bool is_changed; /* of a parameter: somewhere in the function */
    bool is_fixed;   /* it holds `fixed`, always */
    struct dl__integer fixed;
    bool climbs;         /* from a small number, by small steps */
    bool is_counted;     /* by a loop, between numbers */
    dl__bound low, high; /* then */
    /* Of a pointer of the program's: what stands for it. */
    struct dl__variable_known *index, *row;
    const struct dl__proved_buffer *buffer;
    struct dl__offsets allowed;
    struct dl__split split; /* where there is a row */
};

/* An access in the program's text. */
struct dl__access_old {
    struct dl__node *node;
    struct dl__known place;
    const struct dl__type *type;
    dl__number key;
    size_t epoch;  /* how much was changed before; SIZE_MAX: it stores */
    size_t number; /* of changes before */
    bool is_reached;
};

enum dl__effect_kind { DL__E_PLAIN, DL__E_STORE, DL__E_CALL };

/* A change that an expression makes, in order. */
struct dl__effect {
    enum dl__effect_kind kind;
    dl__number key;
    struct dl__function *callee; /* of a call */
    struct dl__known *arguments;
    size_t argument_count;
    const struct dl__proved_buffer *result; /* of a pointer that a call gives; or NULL */
    size_t access;                          /* of a store */
    struct dl__known value;
    unsigned char *covered; /* bytes of it that the rewritten text has stored */
};

struct dl__side_text {
    struct dl__rewriter *w;
    bool is_new;
    struct {
        struct dl__variable_known **items;
        size_t count, room;
    } variables;
};

/* A pair of functions that is compared, with the buffers that their parameters point
 * into. */
struct dl__pair {
    struct dl__function *old_function, *new_function;
    const struct dl__proved_buffer *
        *buffers; /* of each of the old one's parameters, or NULL */
    const struct dl__offsets *allowed;
    const struct dl__proved_buffer
        *result;                    /* that a returned pointer points into; NULL: none */
    const struct dl__split *splits; /* of each of them, at the function's begin */
    const struct dl__integer
        *fixed; /* of each that is an integer: what is known of it, or bits 0 */
    struct {
        struct dl__split_of *items;
        size_t count, room;
    } variables;
};

struct dl__prover {
    struct dl__arena *arena;
    struct dl__side_text old_text, new_text;
    unsigned index_bits;
    bool
        is_tiled; /* the layout that the rewritten text is read for; else the program's */
    struct {
        struct dl__proved_buffer **items;
        size_t count, room;
    } buffers, either; /* `either`: one of several */
    struct {
        struct dl__pair **items;
        size_t count, room;
    } pairs;
    size_t at_pair; /* that is compared */
    struct {
        struct dl__access_old *items;
        size_t count, room;
    } accesses; /* of this expression */
    struct {
        struct dl__effect *items;
        size_t count, room;
    } effects;          /* of the program's text in this expression */
    size_t next_effect; /* that the rewritten text has to have */
    struct {
        struct dl__division *items;
        size_t count, room;
    } divisions;
    struct {
        struct dl__fact *items;
        size_t count, room;
    } facts;
    unsigned path, decided; /* in an accessor: bits of what its conditions are */
    unsigned depth;
    bool in_accessor;
    bool has_begun; /* the function's own statements */
    bool in_branch; /* what is evaluated may not be */
    bool is_stale; /* less is known of some variable's split than was taken for granted */
    dl__number clock; /* tells full expressions apart */
    /* what is counted */
    struct {
        struct dl__verdict {
            const struct dl__node *node;
            const struct dl__function *function;
            const char *reason; /* NULL: it is shown */
            size_t at;          /* in the expanded text of the program */
        } * items;
        size_t count, room;
    } verdicts;
    jmp_buf lost; /* an expression or statement is not shown */
    const char *lost_reason;
    const char *fatal_reason;
    size_t fatal_at;
};

void dl__lose(struct dl__prover *p, const char *format, ...)
    __attribute__((noreturn, format(printf, 2, 3)));
const struct dl__type *dl__known_type(struct dl__side_text *t, struct dl__node *n);

/* True for a type of the prelude. */
static inline bool dl__is_named(const struct dl__type *type, const char *name)
{
    return type->kind == DL__T_STRUCT && type->name && !strcmp(type->name, name);
}

/* A number of what a type is, the same in both texts. */
dl__number dl__type_number(const struct dl__type *type);
struct dl__known dl__know_opaque(dl__number number);
struct dl__known dl__know_integer(struct dl__integer integer);
/* A value of this type that is known by its number only. */
struct dl__known dl__know_typed(dl__number number, const struct dl__type *type);

static inline struct dl__integer dl__zero(void)
{
    return dl__integer_constant(0, 64, true);
}

struct dl__integer dl__seal(struct dl__prover *p, struct dl__integer a);
/* The number by which it is compared. */
dl__number dl__key(struct dl__prover *p, const struct dl__known *v);
/* The bytes of `offset` of all of `whole`, where something of this type may lie in a
 * struct. */
void dl__offsets_of_type(struct dl__prover *p, const struct dl__type *in, uint32_t base,
                         const struct dl__type *type, struct dl__offsets *out);

struct dl__known dl__prove_value(struct dl__prover *p, struct dl__side_text *t,
                                 struct dl__node *n);
struct dl__variable_known *dl__find_known(struct dl__side_text *t, size_t declared_at);
struct dl__variable_known *dl__declare_known(struct dl__prover *p,
                                             struct dl__side_text *t, const char *name,
                                             size_t at, const struct dl__type *type);
dl__number dl__own_tokens(struct dl__side_text *t, const struct dl__node *n);
struct dl__known dl__convert_known(struct dl__prover *p, struct dl__known v,
                                   const struct dl__type *type);
void dl__set_variable(struct dl__prover *p, struct dl__side_text *t,
                      struct dl__variable_known *v, struct dl__known value);

/* Returns what is compared where a condition is asked for: of a pointer, whether there is
 * one. */
struct dl__known dl__truth(struct dl__known v);

/* NULL: the index, and the row where there is one, are this place; else why not. */
const char *dl__relation_fault(struct dl__prover *p, const struct dl__known *old_place,
                               const struct dl__known *index, const struct dl__known *row,
                               const struct dl__offsets *allowed);
/* The variables of both texts hold any such values from here on. */
void dl__relation_forget(struct dl__prover *p, struct dl__variable_known *old_variable);
/* That of a variable that is set to this, wherever it is set. */
struct dl__split dl__split_join(struct dl__prover *p, size_t at, struct dl__split now);
/* Relations hold again after an expression. */
void dl__relations_check(struct dl__prover *p);
#endif
