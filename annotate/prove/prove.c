/* SPDX-License-Identifier: MIT */
/* dl_annotate_prove: every access of a rewritten text is shown to be the program's.
 *
 * A translation validator: it knows the two texts and the tables, and nothing of how the
 * one was made from the other. It walks through both side by side: for tiles with 32-bit
 * and 64-bit indices, and for the program's own layout. What it takes for granted:
 * libclang and its tree, the formula in the prelude, whose text it compares and
 * tests/layout tests, C's rules for overflow and array bounds, and that what a kernel
 * reaches lies in its buffers. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/accessors/accessor.h"
#include "annotate/annotate.h"
#include "annotate/annotations/dimension.h"
#include "annotate/base/stack.h"
#include "annotate/program/rewriter.h"
#include "annotate/text/lex.h"

/* ---- numbers and integers, as far as their values are known ---- */

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

#define PRIME (((uint64_t)1 << 61) - 1)
typedef uint64_t modular;  /* a number modulo PRIME */
typedef __int128 wide_int; /* a bound of a value */

struct integer {
    modular exact, ring, word;
    wide_int low, high; /* of its value, before it wraps */
    uint32_t multiple;  /* that value is a multiple of this one; 0 says as little as 1 */
    unsigned bits;
    bool is_signed;
    bool may_wrap; /* `exact` is its value before it wraps at 2^bits */
    bool is_vast;  /* a sum or product in it may pass 2^64: it need not be exact */
};

#define MULTIPLE_MAX ((uint32_t)1 << 30)
#define BOUND_MAX ((wide_int)1 << 100)
#define BUFFER_MAX ((wide_int)1 << 50) /* no buffer has as many elements */
#define SOUND_MAX ((wide_int)1 << 62)  /* sums of a few such numbers do not wrap */

static modular number_of(wide_int value)
{
    wide_int rest = value % (wide_int)PRIME;

    return (modular)(rest < 0 ? rest + (wide_int)PRIME : rest);
}

static modular number_add(modular a, modular b)
{
    return (a + b) % PRIME;
}

static modular number_subtract(modular a, modular b)
{
    return (a + PRIME - b) % PRIME;
}

static modular number_multiply(modular a, modular b)
{
    return (modular)((unsigned __int128)a * b % PRIME);
}

static uint64_t mix(uint64_t a)
{
    a ^= a >> 30;
    a *= 0xbf58476d1ce4e5b9u;
    a ^= a >> 27;
    a *= 0x94d049bb133111ebu;
    return a ^ a >> 31;
}

/* Draws the number of what is made of a word and other numbers. */
static modular draw(const char *word, modular a, modular b, modular c)
{
    uint64_t h = 0x9e3779b97f4a7c15u;

    for (; *word; word++)
        h = mix(h + (unsigned char)*word);
    h = mix(h + a);
    h = mix((h ^ 0xd6e8feb86659fd93u) + b);
    h = mix((h ^ 0xa5a3564e27f88691u) + c);
    return h % PRIME;
}

/* The same of a text. */
static modular draw_text(const char *word, const char *text, size_t bytes)
{
    modular out = bytes;

    for (size_t i = 0; i < bytes; i++)
        out = draw(word, out, (unsigned char)text[i], 0);
    return out;
}

static wide_int clamp(wide_int value)
{
    return value > BOUND_MAX ? BOUND_MAX : value < -BOUND_MAX ? -BOUND_MAX : value;
}

/* The type's smallest and largest. */
static void integer_limits(unsigned bits, bool is_signed, wide_int *low, wide_int *high)
{
    *low = is_signed ? -((wide_int)1 << (bits - 1)) : 0;
    *high = ((wide_int)1 << (is_signed ? bits - 1 : bits)) - 1;
}

static uint32_t multiple_of(wide_int value)
{
    value = value < 0 ? -value : value;
    return value && value < MULTIPLE_MAX ? (uint32_t)value : 1;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return a ? a : 1;
}

/* Of a sum or product. */
static uint32_t multiple_made(char op, const struct integer *a, const struct integer *b)
{
    uint32_t x = a->multiple ? a->multiple : 1, y = b->multiple ? b->multiple : 1;

    if (op == '*')
        return (uint64_t)x * y < MULTIPLE_MAX ? x * y : x;
    /* 0 is a multiple of anything. */
    if (!a->low && !a->high)
        return y;
    if (!b->low && !b->high)
        return x;
    return common_divisor(x, y);
}

static struct integer integer_constant(wide_int value, unsigned bits, bool is_signed)
{
    modular number = number_of(value);

    return (struct integer){.exact = number,
                            .ring = number,
                            .word = number,
                            .low = value,
                            .high = value,
                            .multiple = multiple_of(value),
                            .bits = bits,
                            .is_signed = is_signed};
}

/* A value that is known by nothing but its number. */
static struct integer integer_opaque(modular number, unsigned bits, bool is_signed)
{
    struct integer out = {.exact = number,
                          .ring = number,
                          .word = number,
                          .bits = bits,
                          .is_signed = is_signed};

    integer_limits(bits, is_signed, &out.low, &out.high);
    return out;
}

static bool integer_is_constant(struct integer a, int64_t *value)
{
    if (a.low != a.high || a.low > INT64_MAX || a.low < INT64_MIN)
        return false;
    *value = (int64_t)a.low;
    return true;
}

/* A value of the type that is the residue of `a`, as far as `out` does not say it. */
static struct integer as_residue(struct integer out, struct integer a,
                                 unsigned index_bits)
{
    if (out.bits >= index_bits)
        out.ring = a.ring;
    if (out.bits >= 32)
        out.word = a.word;
    return out;
}

static struct integer residue(struct integer a, unsigned bits, bool is_signed,
                              unsigned index_bits)
{
    /* The residue hangs on the value modulo 2^bits, which `ring` tells when R bits do. */
    modular from = bits <= 32 ? a.word : bits <= index_bits ? a.ring : a.exact;
    modular drawn = draw(is_signed ? "signed residue" : "residue", from, bits, 0);

    return as_residue(integer_opaque(drawn, bits, is_signed), a, index_bits);
}

/* Its value, with `exact` and `ring` to be compared and drawn from. `index_bits` is R. */
static struct integer integer_sealed(struct integer a, unsigned index_bits)
{
    wide_int low, high;

    integer_limits(a.bits, a.is_signed, &low, &high);
    if (a.may_wrap && a.bits == 64) {
        /* Not an index's: no buffer is that long. */
        if (a.low < low || a.high > high) {
            a.low = low;
            a.high = high;
        }
    } else if (a.may_wrap && (a.low < low || a.high > high)) {
        if (a.low == a.high && !a.is_signed)
            return as_residue(integer_constant(a.low & high, a.bits, false), a,
                              index_bits);
        return residue(a, a.bits, a.is_signed, index_bits);
    }
    a.may_wrap = false;
    return a;
}

static struct integer integer_convert(struct integer a, unsigned bits, bool is_signed,
                                      unsigned index_bits)
{
    wide_int low, high;

    /* A value that wraps at 2^bits twice wraps once. */
    if (!a.may_wrap || is_signed || bits > a.bits)
        a = integer_sealed(a, index_bits);
    integer_limits(bits, is_signed, &low, &high);
    if (!is_signed) {
        a.bits = bits;
        a.is_signed = false;
        a.may_wrap = a.may_wrap || a.low < low || a.high > high;
        return a;
    }
    if (a.low == a.high && a.low > high && a.low <= 2 * high + 1)
        return as_residue(integer_constant(a.low - 2 * (high + 1), bits, true), a,
                          index_bits);
    if (a.low < low || a.high > high)
        return residue(a, bits, true, index_bits);
    a.bits = bits;
    a.is_signed = true;
    return a;
}

static modular number_made(char op, modular a, modular b)
{
    return op == '+'   ? number_add(a, b)
           : op == '-' ? number_subtract(a, b)
                       : number_multiply(a, b);
}

/* The bounds of a product; those of 64 bits and more are not multiplied. */
static void product_bounds(const struct integer *a, const struct integer *b,
                           struct integer *out)
{
    wide_int x[4] = {clamp(a->low), clamp(a->low), clamp(a->high), clamp(a->high)};
    bool is_wide = x[0] < INT64_MIN || x[0] > INT64_MAX || x[2] < INT64_MIN ||
                   x[2] > INT64_MAX || b->low < INT64_MIN || b->high > INT64_MAX;

    out->low = -BOUND_MAX;
    out->high = BOUND_MAX;
    for (int i = 0; i < 4 && !is_wide; i++) {
        wide_int product = x[i] * (i % 2 ? b->high : b->low);

        out->low = !i || product < out->low ? product : out->low;
        out->high = !i || product > out->high ? product : out->high;
    }
}

/* + - * of two of one type. */
static struct integer integer_combine(char op, struct integer a, struct integer b)
{
    /* A signed residue times or plus another is exact again: nothing overflows. */
    struct integer out = {.exact = number_made(op, a.exact, b.exact),
                          .ring = number_made(op, a.ring, b.ring),
                          .word = number_made(op, a.word, b.word),
                          .low = op == '+' ? a.low + b.low : a.low - b.high,
                          .high = op == '+' ? a.high + b.high : a.high - b.low,
                          .bits = a.bits,
                          .is_signed = a.is_signed,
                          .multiple = multiple_made(op, &a, &b)};
    wide_int low, high;

    if (op == '*')
        product_bounds(&a, &b, &out);
    out.low = clamp(out.low);
    out.high = clamp(out.high);
    out.is_vast = a.is_vast || b.is_vast || out.low > BUFFER_MAX ||
                  out.high < -BUFFER_MAX ||
                  (!out.is_signed && out.bits == 64 && out.high > SOUND_MAX);
    out.may_wrap = !out.is_signed;
    if (out.is_signed) { /* no overflow */
        integer_limits(out.bits, true, &low, &high);
        out.low = out.low < low ? low : out.low;
        out.high = out.high > high ? high : out.high;
    }
    return out;
}

static struct integer integer_zero(void)
{
    return integer_constant(0, 64, true);
}

/* ---- the state of a proof ---- */

/* DL__PUSH adds to such a list. */
#define LIST_OF(type)                                                                    \
    struct {                                                                             \
        type *items;                                                                     \
        size_t count, room;                                                              \
    }

/* A buffer of a kernel, as the tables have it. */
struct proved_buffer {
    const struct dl_buffer_note *note;
    bool is_tiled;
    modular number;                 /* of its address */
    const struct dl__type *element; /* that the program's pointer steps over */
    uint32_t unit_bytes;            /* of that */
    bool is_flat;                   /* rows of such elements, else it is the struct */
    struct integer row;             /* bytes in a row or struct */
    struct integer width;           /* elements in a row */
    struct integer head, tail;      /* of its tiling */
    modular structs;                /* head + tail */
};

/* Where in its struct something may lie. */
struct offsets {
    uint32_t *items;
    size_t count, room;
};

/* A condition that decided a branch in an accessor: left < right, or not. */
struct fact {
    bool is_less;
    struct integer left, right;
};

/* x = quotient * divisor + rest */
struct division {
    struct integer dividend, divisor, quotient, rest;
    modular raw_rest; /* of the dividend before it wraps */
};

/* A place as the rewritten text reaches it: by the formula, or where the program had it.
 */
struct reached {
    bool is_tiled;
    struct integer index, row, offset, width, extra;
    modular head, tail; /* that the formula is given */
    struct fact *facts;
    size_t fact_count;
    struct division *divisions; /* on the way to it */
    size_t division_count;
};

enum known_kind {
    K_OPAQUE, /* by its number alone */
    K_INTEGER,
    K_PLACE, /* a pointer, or what it points to */
    K_PART,  /* a dl_part */
    K_FAR,   /* a dl_far: `buffer`, NULL of none, and the struct's index */
    K_TILED  /* the byte that the formula gives */
};

/* The value of an expression, as far as it is known. */
struct known {
    enum known_kind kind;
    modular number;         /* of what is opaque; of a place in no buffer: its base */
    struct integer integer; /* of a part: the struct's index */
    const struct proved_buffer *buffer; /* of a place; NULL: in none */
    struct integer steps; /* of a place in a buffer: elements from its begin */
    struct integer inner; /* and bytes; of a part, too */
    struct offsets offsets;
    uint32_t array_bytes;  /* of the array that the pointer goes over; 0: not known */
    struct reached *spots; /* of a place, in the rewritten text */
    size_t spot_count;
    struct variable *variable; /* a place that is one */
    bool is_base;              /* the buffer of a dl_far, whose index is `integer` */
};

enum relation { R_COMMON, R_VALUE, R_INDEX, R_PART, R_FAR };

/* The row and the rest that a pointer has become: what is known besides their sum modulo
 * 2^R. */
struct split {
    bool is_exact; /* row * width + rest is the element's index in the whole numbers */
    bool is_vast;  /* as the element's index */
    bool is_near;  /* row * width lies in the buffer, or at most NEAR off it */
    wide_int low, high; /* of the rest, where it is exact */
};

enum { NEAR = 1 << 29 };

/* That of a variable of the program's, in all of a function. */
struct split_of {
    size_t at; /* where it is declared */
    struct split split;
    unsigned changes;
};

/* Facts of a variable that hold everywhere in its scope, in both texts. */
struct lasting {
    bool is_changed; /* of a parameter: somewhere in the function */
    bool is_fixed;   /* it holds `fixed`, always */
    struct integer fixed;
    bool climbs;        /* from a small number, by small steps */
    bool is_counted;    /* by a loop, between numbers */
    wide_int low, high; /* then */
};

/* A variable in scope of one of the texts. */
struct variable {
    const char *name;
    size_t at;
    const struct dl__type *type;
    modular number;   /* of the variable, the same in both texts */
    unsigned version; /* how often it was set in this expression */
    enum relation relation;
    struct known value; /* but of R_COMMON: what it holds */
    bool is_set, is_kept;
    struct lasting lasts;
    /* Of a pointer of the program's: what stands for it. */
    struct variable *index, *row;
    const struct proved_buffer *buffer;
    struct offsets allowed;
    struct split split; /* where there is a row */
};

/* An access in the program's text. */
struct access_old {
    struct dl__node *node;
    struct known place;
    const struct dl__type *type;
    modular key;
    size_t epoch;  /* how much was changed before; SIZE_MAX: it stores */
    size_t number; /* of changes before */
    bool is_reached;
};

enum effect_kind { E_PLAIN, E_STORE, E_CALL };

/* A change that an expression makes, in order. */
struct effect {
    enum effect_kind kind;
    modular key;
    struct dl__function *callee; /* of a call */
    struct known *arguments;
    size_t argument_count;
    const struct proved_buffer *result; /* of a pointer that a call gives; or NULL */
    size_t access;                      /* of a store */
    struct known value;
    unsigned char *covered; /* bytes of it that the rewritten text has stored */
};

struct side_text {
    struct dl__rewriter *w;
    bool is_new;
    LIST_OF(struct variable *) variables;
};

/* Facts of a parameter that hold where its function begins. */
struct pair_parameter {
    const struct proved_buffer *buffer; /* that it points into; NULL: none */
    struct offsets allowed;
    struct split split;
    struct integer fixed; /* of an integer; bits 0: nothing */
};

/* A pair of functions that is compared. */
struct pair {
    struct dl__function *old_function, *new_function;
    struct pair_parameter *parameters;  /* of the old one */
    const struct proved_buffer *result; /* that a returned pointer points into; or NULL */
    LIST_OF(struct split_of) variables;
};

/* Whether an access is shown. */
struct verdict {
    const struct dl__node *node;
    const char *reason; /* NULL: it is */
    size_t at;          /* in the expanded text of the program */
};

/* The verdict on a kernel. */
struct outcome {
    LIST_OF(struct verdict) verdicts;
    const char *fault; /* none of it is shown; NULL: see the verdicts */
    size_t fault_at;
};

struct prover {
    struct dl__arena *arena;
    struct side_text old_text, new_text;
    unsigned index_bits;
    bool
        is_tiled; /* the layout that the rewritten text is read for; else the program's */
    LIST_OF(struct proved_buffer *) buffers, either; /* `either`: one of several */
    LIST_OF(struct pair *) pairs;
    size_t at_pair;                      /* that is compared */
    LIST_OF(struct access_old) accesses; /* of this expression */
    LIST_OF(struct effect) effects;      /* of the program's text in this expression */
    size_t next_effect;                  /* that the rewritten text has to have */
    LIST_OF(struct division) divisions;
    LIST_OF(struct fact) facts;
    unsigned path, decided; /* in an accessor: bits of what its conditions are */
    unsigned depth;
    bool in_accessor;
    bool has_begun; /* the function's own statements */
    bool in_branch; /* what is evaluated may not be */
    bool is_stale; /* less is known of some variable's split than was taken for granted */
    modular clock; /* tells full expressions apart */
    struct outcome *out;
    jmp_buf lost; /* an expression or statement is not shown */
    const char *lost_reason;
};

/* True of a name that begins as generated ones do and that the program has not. */
static bool is_generated(const struct prover *p, const char *name, size_t bytes)
{
    const struct dl__ast *old = &p->old_text.w->ast;

    return dl__is_reserved(name, bytes) &&
           !(memmem(old->text, old->bytes, name, 3) &&
             dl__text_has_word(old->text, old->bytes,
                               dl__arena_text(p->arena, name, bytes)));
}

/* True for a type of the prelude. */
static bool is_prelude_type(const struct dl__type *type, const char *name)
{
    return type->kind == DL__T_STRUCT && type->name && !strcmp(type->name, name);
}

static struct known prove_value(struct prover *p, struct side_text *t,
                                struct dl__node *n);
static const char *relation_fault(struct prover *p, const struct known *old_place,
                                  const struct known *index, const struct known *row,
                                  const struct offsets *allowed);
/* ---- rows and rests ---- */

/* A pointer that has become a row and a rest, both modulo 2^R. An accessor takes the
 * rest for a place in the row when it is smaller than the width. It is one then unless
 * the rest passes 2^32: so long as row * width + rest is the element's index in the whole
 * numbers, the row is one of the buffer's.
 *
 * So the rest has to be bounded, wherever the variable may be set. Where it steps in a
 * loop it is not; but then the row stays what it was when the pointer, which lies in the
 * buffer, was near it; and so the rest is bounded where an element is reached. */

enum { CHANGES_MAX = 4 };
#define FAR ((wide_int)1 << 61)

/* True when it is a whole number of at most 2^40 in size; that is then in *value. */
static bool number_is_small(modular a, int64_t *value)
{
    const uint64_t small = (uint64_t)1 << 40;

    if (a > small && PRIME - a > small)
        return false;
    *value = a <= small ? (int64_t)a : -(int64_t)(PRIME - a);
    return true;
}

/* A variable whose row is this, some rows further at most. */
static const struct variable *row_of(const struct prover *p, const struct integer *row,
                                     int64_t most)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        const struct variable *v = p->old_text.variables.items[i];
        int64_t by;

        if (!v->row || !v->buffer || !v->split.is_exact || !v->split.is_near)
            continue;
        if (number_is_small(
                number_subtract(row->exact, draw("now", v->row->number, v->row->at, 0)),
                &by) &&
            by <= most && by >= -most)
            return v;
    }
    return NULL;
}

/* The split of a place that has become a row and a rest. */
static struct split split_known(struct prover *p, const struct known *old_place,
                                const struct integer *rest, const struct integer *row)
{
    struct split out = {.low = rest->low, .high = rest->high};
    modular element = number_add(
        number_multiply(row->exact, old_place->buffer->width.exact), rest->exact);

    out.is_vast = old_place->steps.is_vast;
    out.is_exact = element == old_place->steps.exact;
    out.is_near = (rest->low >= -NEAR && rest->high <= NEAR) || p->index_bits == 64 ||
                  row_of(p, row, 0) != NULL;
    return out;
}

static bool is_same(const struct split *a, const struct split *b)
{
    return a->is_exact == b->is_exact && a->is_near == b->is_near &&
           a->is_vast == b->is_vast && a->low == b->low && a->high == b->high;
}

static struct split split_join(struct prover *p, size_t at, struct split now)
{
    struct pair *pair = p->pairs.items[p->at_pair];
    struct split_of first = {.at = at}, *known = NULL;
    struct split joined;

    now.low = now.low < -FAR ? -FAR : now.low;
    now.high = now.high > FAR ? FAR : now.high;
    first.split = now;
    for (size_t i = 0; i < pair->variables.count; i++)
        if (pair->variables.items[i].at == at)
            known = &pair->variables.items[i];
    if (!known) {
        DL__PUSH(p->arena, &pair->variables, first);
        return now;
    }
    joined = known->split;
    joined.is_exact = joined.is_exact && now.is_exact;
    joined.is_vast = joined.is_vast || now.is_vast;
    joined.is_near = joined.is_near && now.is_near;
    joined.low = now.low < joined.low ? now.low : joined.low;
    joined.high = now.high > joined.high ? now.high : joined.high;
    if (is_same(&joined, &known->split))
        return joined;
    if (++known->changes > CHANGES_MAX) {
        joined.low = -FAR;
        joined.high = FAR;
    }
    known->split = joined;
    p->is_stale = true;
    return joined;
}

/* A row or a rest as it may be wherever the variable is looked at. */
static struct integer split_integer(struct prover *p, modular number, wide_int low,
                                    wide_int high)
{
    struct integer out = integer_opaque(number, p->index_bits, false);

    out.low = low;
    out.high = high;
    out.may_wrap = true;
    return out;
}

/* ---- what is known of values ---- */

__attribute__((noreturn, format(printf, 2, 3))) static void lose(struct prover *p,
                                                                 const char *format, ...)
{
    va_list args;

    va_start(args, format);
    p->lost_reason = dl__arena_format_list(p->arena, format, args);
    va_end(args);
    longjmp(p->lost, 1);
}

static const struct dl__type *type_of(struct side_text *t, struct dl__node *n)
{
    if (!n->known_type)
        n->known_type = dl__ast_type(&t->w->ast, n->type);
    return n->known_type;
}

static modular type_number(const struct dl__type *type)
{
    modular inner =
        type->element && type->kind != DL__T_POINTER ? type_number(type->element) : 0;
    const char *name = type->kind == DL__T_STRUCT && type->name ? type->name : "";

    return draw("type",
                (modular)type->kind << 8 | (unsigned char)type->scalar |
                    (modular)type->is_volatile << 20,
                type->bytes, draw_text("name", name, strlen(name)) ^ inner);
}

/* True for a name that DL made of this prefix and a name of the program's. */
static bool is_made_of(const char *text, const char *prefix, const char *name)
{
    size_t bytes = strlen(prefix);

    return !strncmp(text, prefix, bytes) && !strcmp(text + bytes, name);
}

static size_t parameter_named(const struct dl__function *f, const char *prefix,
                              const char *name)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (is_made_of(f->parameters[i].name, prefix, name))
            return i;
    return SIZE_MAX;
}

static struct dl__node *variable_named(struct dl__node *declaration, const char *prefix,
                                       const char *name)
{
    for (size_t i = 0; i < declaration->child_count; i++) {
        struct dl__node *c = declaration->children[i];

        if (c->kind == DL__N_VARIABLE && is_made_of(c->name, prefix, name))
            return c;
    }
    return NULL;
}

static struct variable *known_named(struct side_text *t, const char *prefix,
                                    const char *name)
{
    for (size_t i = t->variables.count; i > 0; i--)
        if (is_made_of(t->variables.items[i - 1]->name, prefix, name))
            return t->variables.items[i - 1];
    return NULL;
}

/* The number of a variable, by where it is declared. */
static modular variable_number(const char *word, const char *name, size_t at)
{
    return draw_text(word, name, strlen(name)) ^ draw("declared", at, 0, 0);
}

static struct known know_opaque(modular number)
{
    return (struct known){.kind = K_OPAQUE, .number = number};
}

static struct known know_integer(struct integer integer)
{
    return (struct known){.kind = K_INTEGER, .integer = integer};
}

static bool is_integer(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes;
}

static bool is_number(const struct dl__type *type)
{
    return is_integer(type) && type->scalar != 'b';
}

/* A pointer to somewhere in no buffer. */
static struct known know_address(modular number)
{
    return (struct known){.kind = K_PLACE, .number = number, .inner = integer_zero()};
}

static struct known know_place(const struct proved_buffer *b, struct integer steps,
                               struct integer inner)
{
    return (struct known){.kind = K_PLACE, .buffer = b, .steps = steps, .inner = inner};
}

static struct known know_part(struct integer index, struct integer inner)
{
    return (struct known){.kind = K_PART, .integer = index, .inner = inner};
}

/* A number that is 0 or 1. */
static struct known know_condition(modular number)
{
    struct integer out = integer_opaque(number, 32, true);

    out.low = 0;
    out.high = 1;
    return know_integer(out);
}

/* A value of this type that is known by its number only. */
static struct known know_typed(modular number, const struct dl__type *type)
{
    if (is_integer(type))
        return know_integer(integer_opaque(number, type->bytes * 8, type->scalar == 'i'));
    return type->kind == DL__T_POINTER ? know_address(number) : know_opaque(number);
}

/* ---- what is known of integers ---- */

/* A smaller interval, where one is known. */
static struct integer refine(struct prover *p, struct integer a)
{
    for (size_t i = 0; i < p->facts.count; i++) {
        const struct fact *f = &p->facts.items[i];
        int64_t bound;

        if (!integer_is_constant(f->right, &bound))
            continue;
        if (f->left.exact == a.exact && f->is_less && a.high >= bound)
            a.high = bound - 1;
        if (f->left.exact == a.exact && !f->is_less && a.low < bound)
            a.low = bound;
        /* ~left */
        if (number_add(f->left.exact, a.exact) == number_of(-1) && f->is_less &&
            a.low < -bound)
            a.low = -bound;
    }
    for (size_t i = 0; i < p->divisions.count; i++) {
        const struct integer *rest = &p->divisions.items[i].rest;
        int64_t by;

        if (number_is_small(number_subtract(a.exact, rest->exact), &by) &&
            a.low < rest->low + by && a.high >= rest->high + by) {
            a.low = rest->low + by;
            a.high = rest->high + by;
        } else if (number_is_small(number_add(a.exact, rest->exact), &by) &&
                   a.low <= by - rest->high && a.high >= by - rest->low) {
            a.low = by - rest->high;
            a.high = by - rest->low;
        }
    }
    return a;
}

/* True when it is the width of some rows, which *a is then said to be. */
static bool known_width(const struct prover *p, struct integer *a)
{
    for (size_t i = 0; i < p->buffers.count; i++) {
        const struct proved_buffer *b = p->buffers.items[i];

        if (b->note->width && a->exact == b->width.exact) {
            a->ring = b->width.ring;
            a->low = b->width.low;
            a->high = b->width.high;
            a->may_wrap = false;
            return true;
        }
    }
    return false;
}

static struct integer seal(struct prover *p, struct integer a)
{
    if (known_width(p, &a))
        return a;
    /* A remainder that is found by multiplying back. */
    for (size_t i = 0; a.may_wrap && i < p->divisions.count; i++) {
        const struct division *d = &p->divisions.items[i];

        if (d->raw_rest == a.exact ||
            (a.bits <= p->index_bits && d->rest.ring == a.ring)) {
            unsigned bits = a.bits;

            a = d->rest;
            a.bits = bits;
            a.is_signed = a.may_wrap = false;
            return a;
        }
    }
    return refine(p, integer_sealed(a, p->index_bits));
}

static bool is_zero(struct integer a)
{
    int64_t value;

    return integer_is_constant(a, &value) && !value;
}

static modular inverse(modular a)
{
    modular out = 1;

    for (uint64_t power = PRIME - 2; power; power >>= 1) {
        if (power & 1)
            out = number_multiply(out, a);
        a = number_multiply(a, a);
    }
    return out;
}

static wide_int floor_of(wide_int a, wide_int b)
{
    return a / b - (a % b < 0);
}

/* That of which `a` is a multiple, divided by it: the value is what is left. */
static struct integer integer_share(struct integer a, uint32_t divisor)
{
    a.exact = a.ring = a.word = number_multiply(a.exact, inverse(number_of(divisor)));
    a.low = -floor_of(-a.low, divisor);
    a.high = floor_of(a.high, divisor);
    a.multiple /= divisor;
    return a;
}

static void draw_quotient(struct division *d)
{
    const struct integer a = d->dividend, b = d->divisor;

    d->quotient =
        integer_opaque(draw("quotient", a.exact, b.exact, 0), a.bits, a.is_signed);
    if (a.low >= 0 && b.low > 0) {
        d->quotient.low = 0;
        d->quotient.high = a.high / b.low;
    }
    d->rest = integer_combine('*', d->quotient, b);
    d->raw_rest = number_subtract(d->raw_rest, d->rest.exact);
    d->rest = integer_combine('-', a, d->rest);
    d->rest.may_wrap = false;
    integer_limits(a.bits, a.is_signed, &d->rest.low, &d->rest.high);
    if (a.low >= 0) { /* it has the dividend's sign */
        d->rest.low = 0;
        d->rest.high = a.high < d->rest.high ? a.high : d->rest.high;
    }
    if (b.low > 0 && b.high <= d->rest.high) {
        d->rest.low = a.low >= 0 ? 0 : -(b.high - 1);
        d->rest.high = b.high - 1;
    }
}

static struct known divide(struct prover *p, struct integer a, struct integer b,
                           bool wants_rest)
{
    struct division d = {.raw_rest = a.exact};
    int64_t by;

    a = seal(p, a);
    b = seal(p, b);
    d.dividend = a;
    d.divisor = b;
    if (integer_is_constant(b, &by) && by > 1 && by < NEAR && a.multiple && !a.may_wrap &&
        a.multiple % by == 0) {
        d.quotient = integer_share(a, (uint32_t)by);
        d.rest = integer_constant(0, a.bits, a.is_signed);
        d.raw_rest = 0;
    } else {
        draw_quotient(&d);
    }
    if (a.low >= 0)
        DL__PUSH(p->arena, &p->divisions, d);
    return know_integer(wants_rest ? d.rest : d.quotient);
}

static modular key_of(struct prover *p, const struct known *v)
{
    switch (v->kind) {
    case K_INTEGER:
        return seal(p, v->integer).exact;
    case K_PLACE:
        if (v->buffer)
            lose(p, "a pointer into the buffer goes where it is not followed");
        return draw("place", v->number, v->inner.exact, 0);
    case K_OPAQUE:
        return v->number;
    default:
        lose(p, "a pointer into the buffer goes where it is not followed");
    }
}

/* The number of a part of what has a number. */
static modular piece(modular whole, uint32_t offset, uint32_t bytes, uint32_t whole_bytes)
{
    return !offset && bytes == whole_bytes ? whole : draw("piece", whole, offset, bytes);
}

/* ---- places ---- */

static bool same_type(const struct dl__type *a, const struct dl__type *b)
{
    if (a->kind != b->kind || a->bytes != b->bytes)
        return false;
    if (a->kind == DL__T_STRUCT)
        return a->identity == b->identity;
    if (a->kind == DL__T_ARRAY || a->kind == DL__T_VECTOR)
        return a->count == b->count && same_type(a->element, b->element);
    return a->kind == DL__T_SCALAR;
}

static void offsets_of_type(struct prover *p, const struct dl__type *in, uint32_t base,
                            const struct dl__type *type, struct offsets *out)
{
    if (out->count > 4096)
        return;
    if (same_type(in, type)) {
        DL__PUSH(p->arena, out, base);
    } else if (in->kind == DL__T_ARRAY) {
        for (uint64_t i = 0; i < in->count; i++)
            offsets_of_type(p, in->element, base + (uint32_t)i * in->element->bytes, type,
                            out);
    } else if (in->kind == DL__T_STRUCT) {
        for (size_t i = 0; i < in->identity->field_count; i++)
            offsets_of_type(p, in->identity->fields[i].type,
                            base + in->identity->fields[i].offset_bytes, type, out);
    }
}

/* As an index or a number of bytes. */
static struct integer wide(struct integer a)
{
    a.bits = 64;
    a.is_signed = true;
    return a;
}

static struct integer times(struct prover *p, struct integer a, uint32_t bytes)
{
    return integer_combine('*', wide(refine(p, a)), integer_constant(bytes, 64, true));
}

/* In the rewritten text: what comes on top of a tiled address, or of an element's. */
static void move_spots(struct prover *p, struct known *place, struct integer by,
                       uint32_t bytes)
{
    struct reached *spots = dl__arena_alloc(p->arena, place->spot_count * sizeof *spots);

    for (size_t i = 0; i < place->spot_count; i++) {
        spots[i] = place->spots[i];
        spots[i].extra =
            integer_combine('+', spots[i].extra, times(p, seal(p, by), bytes));
    }
    place->spots = spots;
}

/* A pointer to something smaller that is moved by whole structs, or elements. */
static bool move_structs(struct prover *p, struct known *place, struct integer by,
                         uint32_t bytes)
{
    uint32_t unit = place->buffer->unit_bytes;
    struct integer all = times(p, by, bytes);

    if ((!all.low && !all.high) || unit == bytes || !all.multiple || all.multiple % unit)
        return false;
    place->steps = integer_combine('+', place->steps, integer_share(all, unit));
    return true;
}

static struct known place_moved(struct prover *p, struct known place, struct integer by,
                                const struct dl__type *pointee)
{
    uint32_t bytes = pointee->bytes;
    int64_t constant;

    by = wide(seal(p, by));
    if (place.variable && place.variable->type->kind != DL__T_STRUCT &&
        place.variable->type->kind != DL__T_ARRAY)
        place.variable = NULL;
    if (place.spot_count) {
        move_spots(p, &place, by, bytes);
        return place;
    }
    if (!place.buffer) {
        place.inner = integer_combine('+', place.inner, times(p, by, bytes));
        return place;
    }
    if (bytes == place.buffer->unit_bytes &&
        integer_is_constant(place.inner, &constant) && !constant && !place.array_bytes &&
        same_type(pointee, place.buffer->element)) {
        place.steps = integer_combine('+', place.steps, by);
        return place;
    }
    if (!place.array_bytes && move_structs(p, &place, by, bytes))
        return place;
    place.inner = integer_combine('+', place.inner, times(p, by, bytes));
    if (integer_is_constant(by, &constant) && !constant)
        return place;
    if (place.array_bytes >= bytes && bytes && place.array_bytes / bytes <= 1024 &&
        place.offsets.count * (place.array_bytes / bytes) <= 4096) {
        struct offsets all = {0};

        for (size_t i = 0; i < place.offsets.count; i++)
            for (uint32_t at = 0; at + bytes <= place.array_bytes; at += bytes)
                if (!integer_is_constant(by, &constant) ||
                    constant * (int64_t)bytes == at)
                    DL__PUSH(p->arena, &all, place.offsets.items[i] + at);
        place.offsets = all;
    } else {
        place.offsets = (struct offsets){0};
        offsets_of_type(p, place.buffer->element, 0, pointee, &place.offsets);
    }
    place.array_bytes = 0;
    return place;
}

static struct known place_member(struct prover *p, struct known place,
                                 uint32_t offset_bytes)
{
    struct offsets all = {0};

    if (place.spot_count) {
        move_spots(p, &place, integer_constant(offset_bytes, 64, true), 1);
        return place;
    }
    place.inner =
        integer_combine('+', place.inner, integer_constant(offset_bytes, 64, true));
    for (size_t i = 0; i < place.offsets.count; i++)
        DL__PUSH(p->arena, &all, place.offsets.items[i] + offset_bytes);
    place.offsets = all;
    place.array_bytes = 0;
    return place;
}

/* ---- accesses of one text looked for in the other ---- */

/* The division whose quotient this is. */
static const struct division *division_of(const struct reached *s, modular q)
{
    for (size_t i = s->division_count; i > 0; i--)
        if (s->divisions[i - 1].quotient.exact == q)
            return &s->divisions[i - 1];
    return NULL;
}

/* True when the row is known to be one of the buffer's. */
static bool is_row(const struct reached *s, modular structs)
{
    for (size_t i = 0; i < s->fact_count; i++)
        if (s->facts[i].is_less && s->facts[i].left.ring == s->index.ring &&
            !s->facts[i].left.is_signed && s->facts[i].right.exact == structs)
            return true;
    return false;
}

/* The leaf that holds a byte. */
static const struct dl_leaf *leaf_at(const struct proved_buffer *b, uint32_t at)
{
    for (size_t i = 0; i < b->note->leaves.leaf_count; i++) {
        const struct dl_leaf *leaf = &b->note->leaves.leaves[i];

        if (at >= leaf->offset_bytes && at - leaf->offset_bytes < leaf->width_bytes)
            return leaf;
    }
    return NULL;
}

/* In a struct: for every place that the program may mean, the same bytes of one leaf. */
static const char *check_struct(const struct known *old_place, const struct reached *s,
                                uint32_t new_bytes, int64_t delta)
{
    const struct proved_buffer *b = old_place->buffer;
    int64_t width, extra = 0, offset = 0;
    bool has_extra = integer_is_constant(s->extra, &extra);
    bool has_offset = integer_is_constant(s->offset, &offset);

    if (!integer_is_constant(s->width, &width))
        return "the leaf's width is not a constant";
    if (!old_place->offsets.count)
        return "which members it may reach is not known";
    for (size_t i = 0; i < old_place->offsets.count; i++) {
        int64_t at = old_place->offsets.items[i] + delta;
        const struct dl_leaf *leaf = at < 0 || at >= b->note->leaves.struct_bytes
                                         ? NULL
                                         : leaf_at(b, (uint32_t)at);

        if (!leaf)
            return "it may lie outside the struct's leaves";
        if (leaf->width_bytes != width)
            return "the leaf there has another width";
        if (at + new_bytes > leaf->offset_bytes + leaf->width_bytes)
            return "it may go over the end of a leaf";
        if (has_extra ? at - extra != leaf->offset_bytes
                      : !has_offset || offset != leaf->offset_bytes)
            return "it may not begin where the leaf does";
    }
    return NULL;
}

/* True when a part of an index that was compared as 32 bits is what was compared: a
 * longer one may lie in the row only by its remainder. */
static bool is_whole(struct integer offset, uint32_t unit_bytes)
{
    wide_int past = (wide_int)1 << (offset.bits == 64 ? 62 : 32);

    return offset.low >= (DL_FLAT_WIDTH_MAX - past) * unit_bytes &&
           offset.high < past * unit_bytes;
}

/* In a row: an element of it. */
static const char *check_row(const struct prover *p, const struct known *old_place,
                             const struct reached *s)
{
    const struct proved_buffer *b = old_place->buffer;
    struct integer offset = s->offset;
    int64_t width, extra, row;
    modular unit = number_of(b->unit_bytes);

    if (!integer_is_constant(s->width, &width) || width != b->unit_bytes)
        return "the leaf there has another width";
    if (!integer_is_constant(s->extra, &extra) || extra)
        return "it is not the whole element";
    /* Its row and element are those of the whole numbers only where nothing wraps. */
    if (old_place->steps.is_vast && !is_row(s, b->structs))
        return "the row may lie outside the buffer";
    if (integer_is_constant(b->row, &row) && offset.low >= 0 &&
        offset.high <= row - b->unit_bytes)
        return NULL;
    for (size_t i = 0; i < s->fact_count; i++)
        if (s->facts[i].is_less && s->facts[i].right.exact == b->width.exact &&
            !s->facts[i].left.is_signed &&
            number_multiply(s->facts[i].left.ring, unit) == offset.ring &&
            (is_whole(offset, b->unit_bytes) || is_row(s, b->structs) ||
             row_of(p, &s->index, NEAR / DL_FLAT_WIDTH_MAX)))
            return NULL;
    for (size_t i = 0; i < s->division_count; i++) {
        const struct division *d = &s->divisions[i];

        if (d->divisor.exact == b->width.exact && d->dividend.low >= 0 &&
            number_multiply(d->rest.ring, unit) == offset.ring)
            return NULL;
    }
    return "the element may lie outside its row";
}

/* The byte of an element or struct, and so many bytes on. */
static modular byte_at(modular index, modular bytes, modular inner)
{
    return number_add(number_multiply(index, bytes), inner);
}

static bool is_apart(modular to, modular from, int64_t *delta)
{
    return number_is_small(number_subtract(to, from), delta);
}

/* The same of an index of 32 bits among longer ones. The program's lies in the buffer, so
 * it is not negative either. */
static bool distance_of_short(const struct known *old_place, const struct reached *s,
                              int64_t *delta)
{
    const struct proved_buffer *b = old_place->buffer;
    const struct integer *steps = &old_place->steps;
    const struct division *d = division_of(s, s->index.exact);
    modular unit = number_of(b->unit_bytes);

    if (steps->high > UINT32_MAX)
        return false;
    if (!b->is_flat)
        return steps->word == s->index.word && s->index.low >= 0 &&
               s->index.high <= UINT32_MAX &&
               is_apart(number_add(s->offset.exact, s->extra.exact),
                        old_place->inner.exact, delta);
    return d && d->divisor.exact == b->width.exact && d->dividend.low >= 0 &&
           d->dividend.high <= UINT32_MAX &&
           (s->offset.exact == number_multiply(d->rest.exact, unit) ||
            s->offset.exact == number_multiply(d->raw_rest, unit)) &&
           is_apart(byte_at(d->dividend.word, unit, s->extra.exact),
                    byte_at(steps->word, unit, old_place->inner.exact), delta);
}

/* True where the element's index, counted in 64 bits, was compared with 2^32; *sum is it
 * modulo 2^32. */
static bool is_sum_short(const struct proved_buffer *b, const struct reached *s,
                         modular *sum)
{
    modular unit = number_of(b->unit_bytes), width = b->width.exact;
    int64_t most;

    for (size_t i = 0; i < s->fact_count; i++) {
        const struct fact *f = &s->facts[i];

        if (f->is_less || f->right.is_signed || f->right.bits != 64 ||
            !integer_is_constant(f->left, &most) || most > UINT32_MAX ||
            number_multiply(f->right.exact, unit) !=
                number_add(number_multiply(number_multiply(s->index.exact, width), unit),
                           s->offset.exact))
            continue;
        *sum = f->right.word;
        return is_row(s, b->structs);
    }
    return false;
}

/* Sets how far the program's place is before that of the rewritten text; false: not a
 * constant. */
static bool distance(const struct known *old_place, const struct reached *s,
                     int64_t *delta)
{
    const struct proved_buffer *b = old_place->buffer;
    const struct integer *steps = &old_place->steps, *inner = &old_place->inner;
    struct integer at = integer_combine('+', wide(s->offset), s->extra);
    const struct division *d = division_of(s, s->index.exact);
    modular unit = number_of(b->unit_bytes), sum;

    if (is_apart(byte_at(s->index.exact, s->row.exact, at.exact),
                 byte_at(steps->exact, unit, inner->exact), delta))
        return true;
    /* Structs: the index counts modulo 2^R, for it is a struct of the buffer. */
    if (!b->is_flat && steps->ring == s->index.ring &&
        is_apart(at.exact, inner->exact, delta))
        return true;
    if (distance_of_short(old_place, s, delta))
        return true;
    /* An array's index, which is in the array: neither does it wrap. */
    if (!b->is_flat)
        return steps->ring == s->index.ring && is_apart(at.ring, inner->ring, delta);
    if (is_sum_short(b, s, &sum) && !inner->exact && steps->word == sum &&
        steps->low >= 0 && steps->high <= UINT32_MAX) {
        *delta = 0;
        return true;
    }
    /* Rows: the element's index counts modulo 2^R where it is split as a whole, or where
     * the row is known to be one of the buffer's. */
    return is_apart(byte_at(s->index.ring, s->row.ring, at.ring),
                    byte_at(steps->ring, unit, inner->ring), delta) &&
           ((d && d->divisor.exact == b->width.exact) || is_row(s, b->structs));
}

static const char *reach_spot(const struct prover *p, const struct known *old_place,
                              uint32_t old_bytes, const struct proved_buffer *b,
                              const struct reached *s, uint32_t new_bytes, int64_t *delta)
{
    const struct integer *steps = &old_place->steps, *inner = &old_place->inner;
    modular unit = number_of(b->unit_bytes);
    const struct division *d = NULL;
    bool is_same, is_in;

    if (old_place->buffer != b)
        return "it is another buffer";
    if (b->is_tiled && s->is_tiled && s->row.exact != b->row.exact)
        return "the rows have another size";
    for (size_t i = 0; i < s->fact_count && !d; i++)
        if (!s->facts[i].is_less && s->facts[i].right.exact == b->structs)
            d = division_of(s, s->facts[i].left.exact);
    if (b->is_tiled && !s->is_tiled &&
        (!b->is_flat || !d || d->divisor.exact != b->width.exact ||
         d->dividend.ring != s->index.ring))
        return "it is reached as if the buffer were not tiled";
    if (!b->is_tiled) /* addresses count modulo 2^64 */
        is_same = is_apart(byte_at(s->index.ring, unit, s->extra.ring),
                           byte_at(steps->ring, unit, inner->ring), delta);
    else if (!s->is_tiled)
        is_same = is_apart(byte_at(s->index.ring, unit, s->extra.exact),
                           byte_at(steps->ring, unit, inner->exact), delta);
    else
        is_same = distance(old_place, s, delta);
    is_in = is_same && *delta >= 0 && *delta + new_bytes <= old_bytes;
    if (!b->is_tiled)
        return is_in ? NULL : "it is another place in the program's own layout";
    if (!s->is_tiled)
        return is_in ? NULL : "it is another place behind the rows";
    if (!is_in)
        return is_same ? "it is another place" : "it is not shown to be the same place";
    return b->is_flat ? check_row(p, old_place, s)
                      : check_struct(old_place, s, new_bytes, *delta);
}

/* NULL: the place of the rewritten text is the program's, moved by *delta bytes, and lies
 * in a leaf; else why not. */
static const char *reach(const struct prover *p, const struct known *old_place,
                         uint32_t old_bytes, const struct known *new_place,
                         uint32_t new_bytes, int64_t *delta)
{
    const char *reason = new_place->spot_count ? NULL : "it goes around the formula";

    if (!new_place->spot_count && new_place->buffer && !new_place->buffer->is_tiled) {
        const struct reached plain = {.index = new_place->steps,
                                      .extra = new_place->inner};

        return reach_spot(p, old_place, old_bytes, new_place->buffer, &plain, new_bytes,
                          delta);
    }
    for (size_t i = 0; i < new_place->spot_count && !reason; i++) {
        int64_t here = 0;

        reason = reach_spot(p, old_place, old_bytes, new_place->buffer,
                            &new_place->spots[i], new_bytes, &here);
        if (!reason && i && here != *delta)
            reason = "it is not the same place in all cases";
        *delta = here;
    }
    return reason;
}

/* The accesses of the rewritten text, reads and writes, are looked for among the
 * program's. */

/* ---- effects ---- */

static void add_effect(struct prover *p, struct side_text *t, modular key)
{
    struct effect effect = {.kind = E_PLAIN, .key = key};

    if (p->in_accessor)
        return;
    if (!t->is_new) {
        DL__PUSH(p->arena, &p->effects, effect);
        return;
    }
    if (p->next_effect >= p->effects.count ||
        p->effects.items[p->next_effect].kind != E_PLAIN ||
        p->effects.items[p->next_effect].key != key)
        lose(p, "the rewritten text does something else here, or in another order");
    p->next_effect++;
}

static size_t epoch_of(const struct prover *p, const struct side_text *t)
{
    return t->is_new ? p->next_effect : p->effects.count;
}

/* ---- reading ---- */

/* Of what the bytes are; 0 for a struct's. */
static modular kind_of(const struct dl__type *type)
{
    const struct dl__type *in = type->kind == DL__T_VECTOR ? type->element : type;

    return in->kind == DL__T_SCALAR ? type_number(in) : 0;
}

/* The same for what is read at one place at one time. */
static modular access_piece(const struct prover *p, const struct access_old *access,
                            uint32_t offset, uint32_t bytes)
{
    const struct known *place = &access->place;
    modular unit = number_of(place->buffer->unit_bytes);
    /* The bytes that it reaches lie in the buffer: they are told from others by its index
     * modulo 2^R, or modulo 2^32 where it is not larger. */
    bool is_short = place->steps.high <= UINT32_MAX;
    modular at = number_add(
        number_multiply(is_short ? place->steps.word : place->steps.ring, unit),
        is_short ? place->inner.word : place->inner.ring);

    at = number_add(at, number_of(offset));
    return draw(
        "access", draw("at", place->buffer->number, at, p->clock),
        draw("bytes", bytes, kind_of(access->type), access->type->kind == DL__T_OTHER),
        access->number);
}

/* Several mentions of one place are one. */
static void mark_reached(struct prover *p, const struct access_old *access)
{
    for (size_t i = 0; i < p->accesses.count; i++)
        if (p->accesses.items[i].key == access->key &&
            (p->accesses.items[i].epoch == SIZE_MAX) == (access->epoch == SIZE_MAX))
            p->accesses.items[i].is_reached = true;
}

static size_t add_access(struct prover *p, struct dl__node *n, struct known place,
                         const struct dl__type *type, bool stores)
{
    struct access_old access = {.node = n,
                                .place = place,
                                .type = type,
                                .epoch = stores ? SIZE_MAX : p->effects.count,
                                .number = p->effects.count};

    access.key = access_piece(p, &access, 0, type->bytes);
    DL__PUSH(p->arena, &p->accesses, access);
    return p->accesses.count - 1;
}

static bool same_kind(const struct dl__type *old_type, const struct dl__type *new_type)
{
    const struct dl__type *a = old_type, *b = new_type;

    if (a->kind == DL__T_STRUCT || a->kind == DL__T_OTHER)
        return true; /* bytes are copied */
    a = a->kind == DL__T_VECTOR ? a->element : a;
    b = b->kind == DL__T_VECTOR ? b->element : b;
    return a->kind == b->kind && a->scalar == b->scalar && a->bytes == b->bytes;
}

static struct known load_new(struct prover *p, const struct known *place,
                             const struct dl__type *type, modular lanes)
{
    const char *reason = "the program reads nothing here", *said;

    for (size_t i = 0; i < p->accesses.count; i++) {
        struct access_old *access = &p->accesses.items[i];
        int64_t delta;

        if (access->epoch != epoch_of(p, &p->new_text))
            continue;
        said = !same_kind(access->type, type) ||
                       access->type->is_volatile != type->is_volatile
                   ? "it is read as another type"
                   : reach(p, &access->place, access->type->bytes, place, type->bytes,
                           &delta);
        if (said) {
            /* That of another buffer is not meant. */
            reason = access->place.buffer == place->buffer || i == 0 ? said : reason;
            continue;
        }
        mark_reached(p, access);
        if (type->is_volatile)
            add_effect(p, &p->new_text, draw("volatile", access->key, 0, 0));
        return know_typed(access_piece(p, access, (uint32_t)delta, type->bytes) ^ lanes,
                          type);
    }
    lose(p, "%s", reason);
}

/* A variable of an accessor, or a struct that it was given. */
static struct known load_local(struct prover *p, const struct known *place,
                               const struct dl__type *type)
{
    struct variable *v = place->variable;
    int64_t at;

    if (!integer_is_constant(place->inner, &at) || v->value.kind != K_OPAQUE)
        lose(p, "an accessor's variable is not followed");
    for (size_t i = 0; i < v->allowed.count && type->bytes == v->type->bytes; i++)
        if (!v->allowed.items[i])
            lose(p, "not all of a struct is read");
    return know_typed(piece(v->value.number, (uint32_t)at, type->bytes, v->type->bytes),
                      type);
}

static struct known load_known(struct prover *p, struct side_text *t, struct dl__node *n,
                               struct known place, const struct dl__type *type,
                               modular lanes)
{
    if (place.buffer && t->is_new)
        return load_new(p, &place, type, lanes);
    if (place.buffer) {
        size_t at = add_access(p, n, place, type, false);

        /* Each volatile access is one of the program's, in the program's order. */
        if (type->is_volatile)
            add_effect(p, t, draw("volatile", p->accesses.items[at].key, 0, 0));
        return know_typed(p->accesses.items[at].key ^ lanes, type);
    }
    if (place.variable && place.variable->relation == R_VALUE && t->is_new)
        return load_local(p, &place, type);
    return know_typed(draw("load",
                           draw("at", place.number, place.inner.exact, type_number(type)),
                           p->in_accessor ? p->clock : p->clock ^ epoch_of(p, t), lanes),
                      type);
}

/* ---- writing ---- */

static void store_new(struct prover *p, const struct known *place,
                      const struct dl__type *type, modular lanes, struct known value)
{
    struct effect *e = &p->effects.items[p->next_effect];
    struct access_old *access;
    const char *reason;
    int64_t delta;

    if (p->next_effect >= p->effects.count || e->kind != E_STORE)
        lose(p, "the program writes nothing here, or in another order");
    access = &p->accesses.items[e->access];
    reason =
        !same_kind(access->type, type) || access->type->is_volatile != type->is_volatile
            ? "it is written as another type"
            : reach(p, &access->place, access->type->bytes, place, type->bytes, &delta);
    if (reason)
        lose(p, "%s", reason);
    if (lanes != e->key || piece(key_of(p, &e->value), (uint32_t)delta, type->bytes,
                                 access->type->bytes) != key_of(p, &value))
        lose(p, "another value is written");
    access->is_reached = true;
    memset(e->covered + delta, 1, type->bytes);
    if (!memchr(e->covered, 0, access->type->bytes))
        p->next_effect++;
}

static void store_local(struct prover *p, const struct known *place,
                        const struct dl__type *type, struct known value)
{
    struct variable *v = place->variable;
    modular key = key_of(p, &value);
    int64_t at;

    if (!integer_is_constant(place->inner, &at))
        lose(p, "an accessor's variable is not followed");
    if (!p->in_accessor && at == 0 && type->bytes == v->type->bytes) {
        v->value = know_opaque(key);
        return;
    }
    for (size_t i = 0; i < p->accesses.count; i++) {
        const struct access_old *access = &p->accesses.items[i];

        if (access->type->bytes != v->type->bytes ||
            access_piece(p, access, (uint32_t)at, type->bytes) != key ||
            (v->value.kind == K_OPAQUE && v->value.number != access->key))
            continue;
        v->value = know_opaque(access->key);
        if (!v->allowed.count)
            for (uint32_t k = 0; k < v->type->bytes; k++)
                DL__PUSH(p->arena, &v->allowed, 0);
        for (uint32_t k = 0; k < type->bytes; k++)
            v->allowed.items[(uint32_t)at + k] = 1;
        return;
    }
    lose(p, "a struct is not read member by member");
}

static void store_known(struct prover *p, struct side_text *t, struct dl__node *n,
                        struct known place, const struct dl__type *type, modular lanes,
                        struct known value)
{
    struct effect e = {.kind = E_STORE, .key = lanes, .value = value};

    if (place.buffer && t->is_new) {
        store_new(p, &place, type, lanes, value);
    } else if (place.buffer) {
        e.access = add_access(p, n, place, type, true);
        e.covered = dl__arena_alloc(p->arena, type->bytes + 1);
        e.value = know_opaque(key_of(p, &value));
        DL__PUSH(p->arena, &p->effects, e);
    } else if (place.variable && place.variable->relation == R_VALUE && t->is_new) {
        store_local(p, &place, type, value);
    } else {
        add_effect(p, t,
                   draw("store",
                        draw("at", place.number, place.inner.exact, type_number(type)),
                        key_of(p, &value), lanes));
    }
}

/* ---- addresses ---- */

/* A pointer on its way to something that reads or writes `bytes` behind it. */
static modular address_key(struct prover *p, struct side_text *t, struct dl__node *n,
                           struct known place, uint32_t bytes)
{
    const char *reason = "the program takes no address here";

    if (!place.buffer) {
        struct known v = place;

        return key_of(p, &v);
    }
    if (!t->is_new) {
        struct dl__type *type = DL__NEW(p->arena, struct dl__type);
        size_t at;

        type->kind = DL__T_OTHER;
        type->bytes = bytes;
        at = add_access(p, n, place, type, false);
        return p->accesses.items[at].key;
    }
    for (size_t i = 0; i < p->accesses.count; i++) {
        struct access_old *access = &p->accesses.items[i];
        int64_t delta = 0;

        if (access->epoch != epoch_of(p, t) || access->type->kind != DL__T_OTHER)
            continue;
        reason = reach(p, &access->place, access->type->bytes, &place, bytes, &delta);
        if (reason || delta)
            continue;
        mark_reached(p, access);
        return access->key;
    }
    lose(p, "%s", reason ? reason : "another address is taken");
}

/* ---- pointers ---- */

static modular null_number(void)
{
    return draw("null", 0, 0, 0);
}

static struct known know_null(void)
{
    return know_address(null_number());
}

static bool known_is_null(const struct known *v)
{
    return v->kind == K_PLACE && !v->buffer && v->number == null_number() &&
           is_zero(v->inner);
}

/* DL_NULL: an index that no buffer has. */
static wide_int null_index(const struct prover *p)
{
    return (wide_int)1 << (p->index_bits - 1);
}

/* True for DL_NULL. */
static bool is_index_null(const struct prover *p, const struct known *v)
{
    return v->kind == K_INTEGER && v->integer.low == v->integer.high &&
           v->integer.low == null_index(p);
}

/* True for a place in a buffer that is told by its index alone. */
static bool is_tracked(const struct known *v)
{
    return v->kind == K_PLACE && v->buffer && !v->spot_count;
}

/* True for a buffer's first byte. */
static bool is_begin(const struct known *v)
{
    return is_tracked(v) && is_zero(v->steps) && is_zero(v->inner);
}

/* Structs of one type, or elements of one type in rows as wide. */
static bool are_of_a_type(const struct proved_buffer *a, const struct proved_buffer *b)
{
    if (a->is_flat)
        return !a->note->width && !b->note->width && a->unit_bytes == b->unit_bytes &&
               a->element->name && b->element->name &&
               !strcmp(a->element->name, b->element->name);
    return a->element->kind == DL__T_STRUCT && b->element->kind == DL__T_STRUCT &&
           a->element->identity == b->element->identity;
}

/* True when what is known of one holds for the other. */
static bool is_like(const struct proved_buffer *a, const struct proved_buffer *b)
{
    const struct dl_leaf_table *x = &a->note->leaves, *y = &b->note->leaves;

    if (a->is_flat != b->is_flat || !are_of_a_type(a, b) ||
        x->struct_bytes != y->struct_bytes || x->leaf_count != y->leaf_count)
        return false;
    for (size_t i = 0; i < x->leaf_count; i++)
        if (x->leaves[i].offset_bytes != y->leaves[i].offset_bytes ||
            x->leaves[i].width_bytes != y->leaves[i].width_bytes)
            return false;
    return true;
}

/* Gives it the numbers of its address and its tiling. */
static void number_buffer(struct prover *p, struct proved_buffer *b, modular number)
{
    b->number = number;
    b->head = integer_opaque(draw("head", number, 0, 0), p->index_bits, false);
    b->tail = integer_opaque(draw("tail", number, 0, 0), p->index_bits, false);
    /* No more rows than the index counts, together. */
    b->head.high = b->tail.high = b->head.high / 2;
    b->structs = number_add(b->head.exact, b->tail.exact);
}

static const struct proved_buffer *either_buffer(struct prover *p, modular number,
                                                 const struct proved_buffer *like)
{
    struct proved_buffer *b;

    number = draw("like", number, like->number, 0);
    for (size_t i = 0; i < p->either.count; i++)
        if (p->either.items[i]->number == number)
            return p->either.items[i];
    b = DL__NEW(p->arena, struct proved_buffer);
    *b = *like;
    number_buffer(p, b, number);
    DL__PUSH(p->arena, &p->either, b);
    return b;
}

/* A buffer that is told from others by a number, and is like one of the kernel's. */
static bool is_either(const struct prover *p, const struct proved_buffer *b)
{
    for (size_t i = 0; i < p->either.count; i++)
        if (p->either.items[i] == b)
            return true;
    return false;
}

/* Bytes that a pointer into it steps over: a struct's, or an element's of rows. */
static uint32_t step_bytes(const struct proved_buffer *b)
{
    return b->is_flat ? b->unit_bytes : b->note->leaves.struct_bytes;
}

/* Returns the byte of the struct or element with that index. */
static struct integer place_number(const struct proved_buffer *b, struct integer index,
                                   uint32_t bytes)
{
    return integer_opaque(draw("place", b->number, index.ring, number_of(bytes)), 64,
                          false);
}

/* ---- conditions ---- */

/* Returns what is compared where a condition is asked for: of a pointer, whether there is
 * one. */
static struct known truth(struct known v)
{
    if (known_is_null(&v))
        return know_integer(integer_constant(0, 32, true));
    return is_tracked(&v)
               ? know_condition(draw("there is", v.buffer->number,
                                     v.is_base ? v.integer.ring : v.steps.ring, 0))
               : v;
}

static struct known negated(struct prover *p, struct known v, const struct dl__type *type)
{
    return know_typed(draw("!", key_of(p, &v), type_number(type), 1), type);
}

/* ---- chosen by a condition ---- */

static modular ring_of(const struct prover *p, const struct known *v)
{
    if (known_is_null(v) || (v->kind == K_FAR && !v->buffer))
        return number_of(null_index(p));
    return v->kind == K_PLACE ? v->steps.ring : v->integer.ring;
}

static const struct proved_buffer *
choose_buffer(struct prover *p, modular key, const struct known *a, const struct known *b)
{
    if (!a->buffer || !b->buffer || a->buffer == b->buffer)
        return a->buffer ? a->buffer : b->buffer;
    if (!is_like(a->buffer, b->buffer))
        lose(p, "a pointer is chosen from buffers that are not alike");
    return either_buffer(p, draw("either", key, a->buffer->number, b->buffer->number),
                         a->buffer);
}

/* `key ? a : b` of pointers, or of what became of them; false: it is something else. */
static bool choose_pointer(struct prover *p, modular key, const struct known *a,
                           const struct known *b, struct known *out)
{
    bool is_place =
        (is_tracked(a) || known_is_null(a)) && (is_tracked(b) || known_is_null(b));
    bool is_part = a->kind == K_PART && b->kind == K_PART;
    unsigned bits = is_place ? 64 : p->index_bits;
    modular chosen;

    if (!is_place && !is_part && (a->kind != K_FAR || b->kind != K_FAR))
        return false;
    *out = a->buffer || is_part ? *a : *b;
    if (!out->buffer && !is_part)
        return true; /* both are null */
    chosen = draw("?:", key, ring_of(p, a), ring_of(p, b));
    out->is_base = false;
    out->buffer = choose_buffer(p, key, a, b);
    *(is_place ? &out->steps : &out->integer) = integer_opaque(chosen, bits, is_place);
    if (a->inner.exact != b->inner.exact)
        out->inner = integer_opaque(draw("?:", key, a->inner.exact, b->inner.exact), bits,
                                    is_place);
    if (is_place && a->buffer && b->buffer)
        for (size_t i = 0; i < b->offsets.count; i++)
            DL__PUSH(p->arena, &out->offsets, b->offsets.items[i]);
    return true;
}

/* ---- variables ---- */

/* No work-item lives long enough to count further by small steps. */
#define CLIMB_MAX ((wide_int)1 << 50)

static struct variable *find_variable(struct side_text *t, size_t declared_at)
{
    for (size_t i = t->variables.count; i > 0 && declared_at != SIZE_MAX; i--)
        if (t->variables.items[i - 1]->at == declared_at)
            return t->variables.items[i - 1];
    return NULL;
}

static struct variable *declare_variable(struct prover *p, struct side_text *t,
                                         const char *name, size_t at,
                                         const struct dl__type *type)
{
    struct variable *v = DL__NEW(p->arena, struct variable);

    v->name = name;
    v->at = at;
    v->type = type;
    v->number = variable_number(t->is_new ? "new" : "variable", name, at);
    if (t->is_new)
        for (size_t i = p->old_text.variables.count; i > 0; i--) {
            const struct variable *twin = p->old_text.variables.items[i - 1];

            if (strcmp(twin->name, name))
                continue;
            v->number = twin->number;
            v->lasts = twin->lasts;
            break;
        }
    DL__PUSH(p->arena, &t->variables, v);
    return v;
}

static void set_variable(struct prover *p, struct side_text *t, struct variable *v,
                         struct known value)
{
    if (v->relation == R_COMMON) {
        add_effect(p, t, draw("set", v->number, key_of(p, &value), 0));
        v->version++;
        return;
    }
    if (v->is_kept || (p->in_branch && !p->in_accessor))
        lose(p, "what a pointer became is changed where it can't be followed");
    if (v->buffer && value.kind == K_PLACE && !known_is_null(&value) &&
        value.buffer != v->buffer &&
        (v->relation != R_FAR || !value.buffer || !is_like(value.buffer, v->buffer)))
        lose(p, "a pointer into one buffer is set to another's");
    v->value = value;
    v->is_set = true;
}

static struct known read_variable(struct prover *p, struct variable *v)
{
    struct known out;

    if (v->relation != R_COMMON) {
        out = v->value;
        if (out.kind == K_INTEGER && p->in_accessor)
            out.integer = refine(p, out.integer);
        return out;
    }
    if (v->lasts.is_fixed)
        return know_integer(v->lasts.fixed);
    out = know_typed(v->version || (v->lasts.is_changed && p->has_begun)
                         ? draw("version", v->number, v->version, p->has_begun)
                         : v->number,
                     v->type);
    if (v->lasts.climbs)
        out.integer.high = CLIMB_MAX;
    if (v->lasts.is_counted && !v->version) {
        out.integer.low = v->lasts.low;
        out.integer.high = v->lasts.high;
    }
    return out;
}

/* ---- tokens ---- */

static modular own_tokens(struct side_text *t, const struct dl__node *n)
{
    const struct dl__ast *ast = &t->w->ast;
    struct dl__lexer lexer = {.text = ast->text, .bytes = n->end, .offset = n->begin};
    modular out = 1;
    struct dl__token token;

    for (;;) {
        bool inside = false;

        lexer.offset = dl__text_skip(ast->text, n->end, lexer.offset);
        for (size_t i = 0; i < n->child_count && !inside; i++)
            if (lexer.offset >= n->children[i]->begin &&
                lexer.offset < n->children[i]->end) {
                lexer.offset = n->children[i]->end;
                inside = true;
                out = draw("a child", out, 0, 0);
            }
        if (inside)
            continue;
        token = dl__lex_next(&lexer);
        if (token.kind == DL__END || token.offset >= n->end)
            return out;
        if (token.kind == DL__NEWLINE)
            continue;
        /* `v->x` is `(*v).x`, see is_pointed_component. */
        out = (dl__token_is(&token, "->") ? draw_text("token", ".", 1)
                                          : draw_text("token", token.text, token.bytes)) ^
              draw("then", out, 0, 0);
    }
}

/* True of `v->x` of a pointer to a vector. */
static bool is_pointed_component(struct side_text *t, const struct dl__node *n)
{
    const struct dl__type *from;

    if (n->kind != DL__N_IMPLICIT || n->child_count != 1 || n->end == n->children[0]->end)
        return false;
    from = type_of(t, n->children[0]);
    return from->kind == DL__T_POINTER && from->element->kind == DL__T_VECTOR &&
           own_tokens(t, n) != draw("a child", 1, 0, 0);
}

/* True when all of it is its child's text. */
static bool is_wrapper(struct side_text *t, const struct dl__node *n)
{
    return n->kind == DL__N_IMPLICIT && n->child_count == 1 &&
           own_tokens(t, n) == draw("a child", 1, 0, 0);
}

/* ---- conversions ---- */

static struct known convert_known(struct prover *p, struct known v,
                                  const struct dl__type *type)
{
    if (type->kind == DL__T_SCALAR && type->scalar == 'b')
        v = truth(v);
    if (v.kind == K_INTEGER && is_number(type)) {
        v.integer =
            integer_convert(v.integer.may_wrap && (type->scalar == 'i' ||
                                                   type->bytes * 8 > v.integer.bits)
                                ? seal(p, v.integer)
                                : v.integer,
                            type->bytes * 8, type->scalar == 'i', p->index_bits);
        return v;
    }
    if (type->kind == DL__T_POINTER && v.kind == K_PLACE)
        return v;
    if (type->kind == DL__T_POINTER && v.kind == K_INTEGER && v.integer.low == 0 &&
        v.integer.high == 0)
        return know_null();
    if (type->kind == DL__T_STRUCT || type->kind == DL__T_OTHER ||
        (v.kind != K_INTEGER && v.kind != K_OPAQUE))
        return v;
    return know_typed(draw("convert", key_of(p, &v), type_number(type), 0), type);
}

/* ---- What operators make of what is known. ---- */

static bool points_into(const struct known *v)
{
    return v->kind == K_PLACE && v->buffer;
}

/* A comparison of two integers; `op` is one of C's. */
static struct known compare(struct prover *p, const char *op, struct integer a,
                            struct integer b)
{
    bool is_equality = op[0] == '=' || op[0] == '!';
    bool in_ring = is_equality && a.bits == p->index_bits && !a.is_signed;
    modular difference;

    if (!in_ring) {
        a = seal(p, a);
        b = seal(p, b);
    }
    if (!is_equality)
        return know_condition(draw(op, a.exact, b.exact, 0));
    difference =
        in_ring ? number_subtract(a.ring, b.ring) : number_subtract(a.exact, b.exact);
    return know_condition(draw(op, number_multiply(difference, difference), 0, 0));
}

/* Returns the index or offset that a pointer into a buffer may become, as it is compared.
 */
static struct integer position(struct prover *p, struct integer at, bool is_signed)
{
    struct integer out = at;
    int64_t value;

    if (!integer_is_constant(out, &value)) {
        out = integer_convert(out, p->index_bits, false, p->index_bits);
        out.may_wrap = true;
        out.low = -((wide_int)1 << 70); /* it is taken as an index in any case */
    } else {
        out.bits = p->index_bits;
        out.is_signed = false;
    }
    return is_signed ? integer_convert(seal(p, out), p->index_bits, true, p->index_bits)
                     : out;
}

static struct integer subtract(struct prover *p, struct integer from, struct integer to)
{
    from = integer_combine('-', position(p, from, false), position(p, to, false));
    from.low = -((wide_int)1 << 70);
    from = integer_convert(from, p->index_bits, true, p->index_bits);
    from.bits = 64;
    return from;
}

/* True where two parts, or pointers to them, are the same. */
static struct known same_part(struct prover *p, struct integer a_index,
                              struct integer a_inner, struct integer b_index,
                              struct integer b_inner)
{
    modular i = number_subtract(a_index.ring, b_index.ring);
    modular o = number_subtract(a_inner.ring, b_inner.ring);

    if (is_zero(a_inner) && is_zero(b_inner))
        return compare(p, "==", position(p, a_index, false), position(p, b_index, false));
    return know_condition(
        draw("same part", number_multiply(i, i), number_multiply(o, o), 0));
}

/* Pointers to members: of one struct where they are not compared for being the same. */
static struct known members(struct prover *p, const char *op, struct known *a,
                            struct known *b, const struct dl__type *pointee,
                            const struct dl__type *type)
{
    if (!strcmp(op, "==") || !strcmp(op, "!=")) {
        struct known same = same_part(p, a->steps, a->inner, b->steps, b->inner);

        return *op == '=' ? same : negated(p, same, type);
    }
    if (strcmp(op, "-"))
        return compare(p, op, subtract(p, a->inner, b->inner), integer_zero());
    return divide(p, subtract(p, a->inner, b->inner),
                  integer_constant(pointee->bytes, 32, true), false);
}

/* By where they are: the rewritten text has dl_far_place. */
static struct known places(struct prover *p, const char *op, const struct known *a,
                           const struct known *b)
{
    uint32_t bytes = step_bytes(a->buffer);
    struct integer x = place_number(a->buffer, a->steps, bytes),
                   y = place_number(b->buffer, b->steps, bytes);

    if (strcmp(op, "-"))
        return compare(p, op, x, y);
    x = integer_convert(integer_combine('-', x, y), 64, true, p->index_bits);
    return divide(p, x, integer_constant(bytes, 64, true), false);
}

static struct known tracked(struct prover *p, struct side_text *t, struct dl__node *n,
                            const char *op, struct known *a, struct known *b,
                            const struct dl__type *type)
{
    bool is_equality = op[0] == '=' || op[0] == '!';

    if (a->is_base || b->is_base ||
        (a->buffer != b->buffer && !is_like(a->buffer, b->buffer)))
        lose(p, "pointers into two buffers are compared");
    if (!is_zero(a->inner) || !is_zero(b->inner))
        return members(p, op, a, b, type_of(t, n->children[0])->element, type);
    if (a->buffer != b->buffer || is_either(p, a->buffer))
        return places(p, op, a, b);
    return !strcmp(op, "-") ? know_integer(subtract(p, a->steps, b->steps))
                            : compare(p, op, position(p, a->steps, !is_equality),
                                      position(p, b->steps, !is_equality));
}

/* `p == 0` */
static struct known with_null(struct prover *p, const char *op, struct known *v,
                              const struct dl__type *type)
{
    struct known out = truth(*v);

    if (strcmp(op, "==") && strcmp(op, "!="))
        lose(p, "a pointer is compared with null");
    return *op == '!' ? out : negated(p, out, type);
}

static bool is_comparison(const char *op)
{
    return !strcmp(op, "<") || !strcmp(op, ">") || !strcmp(op, "<=") ||
           !strcmp(op, ">=") || !strcmp(op, "==") || !strcmp(op, "!=");
}

static bool is_none(const struct known *v)
{
    return known_is_null(v) || (v->kind == K_INTEGER && is_zero(v->integer));
}

/* A constant moved by bits. */
static bool shift(const struct integer *a, const struct integer *by, struct known *out)
{
    wide_int low, high, value;
    int64_t bits;

    if (a->low != a->high || !integer_is_constant(*by, &bits) || bits < 0 ||
        bits >= a->bits || a->low < 0)
        return false;
    integer_limits(a->bits, false, &low, &high);
    value = (a->low << bits) & high;
    integer_limits(a->bits, a->is_signed, &low, &high);
    if (value > high)
        value -= (wide_int)1 << a->bits;
    *out = know_integer(integer_constant(value, a->bits, a->is_signed));
    return true;
}

/* Applies an operator of C's to two values. */
static struct known combine(struct prover *p, struct side_text *t, struct dl__node *n,
                            const char *op, struct known a, struct known b,
                            const struct dl__type *type)
{
    struct known out;

    if (points_into(&a) && points_into(&b))
        return tracked(p, t, n, op, &a, &b, type);
    if (points_into(&a) && is_none(&b) && is_comparison(op))
        return with_null(p, op, &a, type);
    if (points_into(&b) && is_none(&a) && is_comparison(op))
        return with_null(p, op, &b, type);
    if (b.kind == K_PLACE && a.kind != K_PLACE && op[0] == '+') {
        struct known swap = a;

        a = b;
        b = swap;
    }
    if (a.kind == K_PLACE && b.kind == K_TILED && op[0] == '+') {
        if (!a.buffer || a.spot_count || !is_zero(a.steps))
            lose(p, "the formula is applied to something else than a buffer");
        if (b.spots->head != a.buffer->head.exact ||
            b.spots->tail != a.buffer->tail.exact)
            lose(p, "the formula is given another buffer's tiles");
        b.buffer = a.buffer;
        b.kind = K_PLACE;
        return b;
    }
    if (a.kind == K_PLACE && b.kind == K_INTEGER && type->kind == DL__T_POINTER &&
        type->element->bytes && (op[0] == '+' || op[0] == '-')) {
        if (op[0] == '-')
            b.integer =
                integer_combine('-', integer_constant(0, 64, true), seal(p, b.integer));
        b.integer.may_wrap = b.integer.may_wrap && op[0] == '+';
        return place_moved(p, a, b.integer, type->element);
    }
    if (a.kind == K_INTEGER && b.kind == K_INTEGER) {
        if (is_comparison(op))
            return compare(p, op, a.integer, b.integer);
        if (!op[1] && strchr("+-*", op[0]) && type->kind == DL__T_SCALAR) {
            a = convert_known(p, a, type);
            b = convert_known(p, b, type);
            return know_integer(integer_combine(op[0], a.integer, b.integer));
        }
        if (!strcmp(op, "<<") && shift(&a.integer, &b.integer, &out))
            return out;
        if (!op[1] && strchr("/%", op[0]))
            return divide(p, a.integer, b.integer, op[0] == '%');
    }
    return know_typed(draw(op, key_of(p, &a), key_of(p, &b), type_number(type)), type);
}

/* ---- Calls of what the prelude defines: its text is the one that is tested. ---- */

/* True when both are the same index. */
static bool is_equal(struct prover *p, const struct known *v, struct integer wanted)
{
    return v->kind == K_INTEGER && seal(p, v->integer).ring == wanted.ring;
}

static struct known far_at(struct prover *p, const struct known *a)
{
    struct known out = {.kind = K_FAR};

    if (is_index_null(p, &a[1]))
        return out;
    if (!is_begin(&a[0]) || a[0].is_base || a[1].kind != K_INTEGER)
        lose(p, "a pointer into one of several buffers is made of something else");
    if (p->is_tiled && (!is_equal(p, &a[2], a[0].buffer->head) ||
                        !is_equal(p, &a[3], a[0].buffer->tail)))
        lose(p, "it is given another buffer's tiles");
    out.buffer = a[0].buffer;
    out.integer = a[1].integer;
    return out;
}

/* A pointer that is not null as a number. */
static struct known far_place(struct prover *p, const struct known *a)
{
    int64_t bytes;

    if (a[0].kind != K_FAR || !a[0].buffer || a[1].kind != K_INTEGER ||
        !integer_is_constant(a[1].integer, &bytes) ||
        bytes != (int64_t)step_bytes(a[0].buffer))
        lose(p, "where a pointer into one of several buffers is, is not understood");
    return know_integer(place_number(a[0].buffer, a[0].integer, (uint32_t)bytes));
}

/* A part, or a pointer into one of several buffers, that is moved, or set. */
static struct known moved(struct prover *p, const struct known *of,
                          const struct known *by, bool is_set)
{
    struct known out = *of;
    struct integer *at = of->kind == K_PART ? &out.inner : &out.integer;

    if ((of->kind != K_PART && (of->kind != K_FAR || !of->buffer)) ||
        by->kind != K_INTEGER)
        lose(p, "how what became of a pointer is moved is not understood");
    *at = is_set ? by->integer : integer_combine('+', *at, by->integer);
    return out;
}

/* Of an offset that is in the struct, as the program has it: the struct is the same, and
 * so is the offset. */
static struct known owned(struct prover *p, struct dl__node *n, const struct known *a)
{
    const struct known *out = &a[n->name[3] == 'o' ? 0 : 2];
    bool is_of_one = false;
    int64_t bytes;

    if (out->kind != K_INTEGER || a[1].kind != K_INTEGER ||
        !integer_is_constant(a[1].integer, &bytes))
        lose(p, "an offset in a struct is not understood");
    for (size_t b = 0; b < p->buffers.count; b++)
        is_of_one |= p->buffers.items[b]->note->leaves.struct_bytes == bytes;
    if (!is_of_one)
        lose(p, "an offset is taken for that in a struct of another size");
    return *out;
}

/* The byte that the formula gives. */
static struct known formula(struct prover *p, const struct known *a, size_t count)
{
    struct reached *s = DL__NEW(p->arena, struct reached);

    for (size_t i = 0; i < count; i++)
        if (a[i].kind != K_INTEGER)
            lose(p, "the formula's arguments are not understood");
    *s = (struct reached){.is_tiled = true,
                          .index = a[0].integer,
                          .row = a[1].integer,
                          .offset = refine(p, a[2].integer),
                          .width = a[3].integer,
                          .extra = integer_zero(),
                          .head = a[4].integer.exact,
                          .tail = a[5].integer.exact};
    return (struct known){
        .kind = K_TILED, .spots = s, .spot_count = 1, .inner = integer_zero()};
}

/* The value of a call of what the prelude defines; false: it is of something else. */
static bool prove_prelude(struct prover *p, struct dl__node *n, const struct known *a,
                          size_t count, struct known *out)
{
    const size_t bytes = strlen(n->name);
    bool is_same = !strcmp(n->name, "dl_same");

    if (dl__is_in("dl_owner dl_rest", n->name, bytes)) {
        *out = owned(p, n, a);
    } else if (dl__is_in("dl_byte dl_byte_of_row", n->name, bytes)) {
        *out = formula(p, a, count);
    } else if (!strcmp(n->name, "dl_far_none")) {
        *out = (struct known){.kind = K_FAR};
    } else if (!strcmp(n->name, "dl_far_at")) {
        *out = far_at(p, a);
    } else if (!strcmp(n->name, "dl_far_place")) {
        *out = far_place(p, a);
    } else if (!strcmp(n->name, "dl_far_set")) {
        *out = moved(p, &a[0], &a[1], true);
    } else if (dl__is_in("dl_moved dl_far_moved", n->name, bytes)) {
        *out = moved(p, &a[0], &a[1], false);
    } else if (dl__is_in("dl_beyond dl_far_beyond", n->name, bytes)) {
        *out = moved(p, &a[1], &a[0], false);
    } else if (is_same || !strcmp(n->name, "dl_apart")) {
        if (a[0].kind != K_PART || a[1].kind != K_PART)
            lose(p, "a part is not understood");
        *out = is_same ? same_part(p, a[0].integer, a[0].inner, a[1].integer, a[1].inner)
                       : know_integer(subtract(p, a[0].inner, a[1].inner));
    } else if (!strcmp(n->name, "dl_part_at")) {
        if (a[0].kind != K_INTEGER || a[1].kind != K_INTEGER)
            lose(p, "a part is not understood");
        *out = know_part(a[0].integer, a[1].integer);
    } else {
        return false;
    }
    return true;
}

/* ---- What a pointer has become, and where it comes from. ---- */

enum { ORIGIN_DEPTH_MAX = 8 };

static size_t origin(struct prover *p, struct dl__function *f, struct dl__node *n,
                     unsigned depth);

static size_t parameter_at(const struct dl__function *f, size_t declared_at)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (f->parameters[i].name_at == declared_at)
            return i;
    return SIZE_MAX;
}

static bool is_name_of(const struct dl__node *n, size_t declared_at)
{
    while (n->child_count == 1 && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT))
        n = n->children[0];
    return n->kind == DL__N_NAME && n->declared_at == declared_at;
}

/* Of what a variable is set to, somewhere in `n`; SIZE_MAX: of what is returned there. */
static size_t origin_in(struct prover *p, struct dl__function *f, struct dl__node *n,
                        size_t declared_at, unsigned depth)
{
    bool sets = declared_at == SIZE_MAX ? n->kind == DL__N_RETURN
                : n->kind == DL__N_VARIABLE
                    ? n->declared_at == declared_at
                    : n->kind == DL__N_BINARY && !strcmp(n->op, "=") &&
                          is_name_of(n->children[0], declared_at);
    size_t out = sets && n->child_count
                     ? origin(p, f, n->children[n->child_count - 1], depth)
                     : SIZE_MAX;

    for (size_t i = 0; i < n->child_count && out == SIZE_MAX; i++)
        out = origin_in(p, f, n->children[i], declared_at, depth);
    return out;
}

/* Of what a variable is set to in a function; SIZE_MAX: of what it returns. */
static size_t origin_in_body(struct prover *p, struct dl__function *f, size_t declared_at,
                             unsigned depth)
{
    return origin_in(p, f, dl__ast_body(&p->old_text.w->ast, f), declared_at, depth);
}

static size_t origin(struct prover *p, struct dl__function *f, struct dl__node *n,
                     unsigned depth)
{
    size_t out = SIZE_MAX;

    if (depth >= ORIGIN_DEPTH_MAX)
        return SIZE_MAX;
    if (n->kind == DL__N_NAME) {
        out = parameter_at(f, n->declared_at);
        return out < SIZE_MAX || n->declared_at == SIZE_MAX
                   ? out
                   : origin_in_body(p, f, n->declared_at, depth + 1);
    }
    if (n->kind == DL__N_CALL) {
        struct dl__function *g = dl__ast_callee(&p->old_text.w->ast, n);
        size_t at =
            g && g->is_defined ? origin_in_body(p, g, SIZE_MAX, depth + 1) : SIZE_MAX;

        return at < SIZE_MAX && at + 1 < n->child_count
                   ? origin(p, f, n->children[at + 1], depth + 1)
                   : SIZE_MAX;
    }
    for (size_t i = n->kind == DL__N_CONDITIONAL; i < n->child_count; i++)
        if ((type_of(&p->old_text, n->children[i])->kind != DL__T_SCALAR ||
             (n->kind == DL__N_UNARY && !strcmp(n->op, "&"))) &&
            out == SIZE_MAX)
            out = origin(p, f, n->children[i], depth);
    return out;
}

static const struct proved_buffer *origin_of(struct prover *p, const struct variable *v)
{
    const struct pair *pair = p->pairs.items[p->at_pair];
    size_t at = origin_in_body(p, pair->old_function, v->at, 0);

    return at < SIZE_MAX ? pair->parameters[at].buffer : NULL;
}

/* A pointer of the program's has become an index, a row and an index, or a part. */

static bool is_within(const struct offsets *some, const struct offsets *all)
{
    for (size_t i = 0; i < some->count; i++) {
        bool found = false;

        for (size_t j = 0; j < all->count && !found; j++)
            found = all->items[j] == some->items[i];
        if (!found)
            return false;
    }
    return some->count > 0;
}

static const char *null_fault(struct prover *p, const struct known *index,
                              const struct known *row)
{
    struct known of_part = know_integer(index->integer);

    if (index->kind == K_FAR    ? !index->buffer
        : index->kind == K_PART ? is_index_null(p, &of_part) && is_zero(index->inner)
                                : !row && is_index_null(p, index))
        return NULL;
    return "a null pointer has become something else";
}

static const char *relation_fault(struct prover *p, const struct known *old_place,
                                  const struct known *index, const struct known *row,
                                  const struct offsets *allowed)
{
    modular at = old_place->steps.ring;

    if (known_is_null(old_place))
        return null_fault(p, index, row);
    if (old_place->kind != K_PLACE || !old_place->buffer)
        return "a pointer is set to what is not in the buffer";
    if (index->kind == K_FAR)
        return index->buffer == old_place->buffer && index->integer.ring == at &&
                       old_place->inner.exact == 0
                   ? NULL
                   : "a pointer into one of several buffers has become another place";
    if (index->kind == K_PART) {
        if (index->integer.ring != at || index->inner.ring != old_place->inner.ring)
            return "a pointer to a member has become another place";
        return is_within(&old_place->offsets, allowed)
                   ? NULL
                   : "a pointer to a member may be to another member";
    }
    if (index->kind != K_INTEGER || (row && row->kind != K_INTEGER))
        return "a pointer has become something that is not understood";
    if (old_place->inner.exact != 0)
        return "a pointer to a member has become an index";
    if (!row)
        return index->integer.ring == at ? NULL : "a pointer has become another index";
    return number_add(number_multiply(row->integer.ring, old_place->buffer->width.ring),
                      index->integer.ring) == at
               ? NULL
               : "a pointer has become another row and index";
}

static struct integer any_index(struct prover *p, const struct variable *v)
{
    return integer_opaque(draw("now", v->number, v->at, 0), p->index_bits, false);
}

static void forget_row(struct prover *p, struct variable *v)
{
    struct integer *steps = &v->value.steps, index = v->index->value.integer;
    struct integer row = any_index(p, v->row);

    steps->ring =
        number_add(number_multiply(row.ring, v->buffer->width.ring), index.ring);
    steps->word = steps->ring;
    steps->exact = v->split.is_exact ? steps->ring : draw("element", steps->ring, 0, 0);
    integer_limits(64, true, &steps->low, &steps->high);
    steps->is_vast = v->split.is_vast;
    if (v->split.is_exact) {
        index = split_integer(p, index.exact, v->split.low, v->split.high);
        row = split_integer(p, row.exact, INT64_MIN, INT64_MAX);
    }
    v->index->value = know_integer(index);
    v->row->value = know_integer(row);
    v->row->is_set = false;
}

static void relation_forget(struct prover *p, struct variable *v)
{
    struct integer index = any_index(p, v->index);

    v->value = know_place(v->buffer, index, integer_zero());
    v->value.offsets = v->allowed;
    v->is_set = v->index->is_set = false;
    if (v->relation == R_FAR) {
        v->value.buffer = either_buffer(
            p, draw("now in", v->index->number, v->index->at, 0), v->buffer);
        v->index->value =
            (struct known){.kind = K_FAR, .buffer = v->value.buffer, .integer = index};
    } else if (v->relation == R_PART) {
        struct integer inner = integer_opaque(
            draw("inner", v->index->number, v->index->at, 0), p->index_bits, false);

        v->index->value = know_part(index, inner);
        v->value.inner = inner;
    } else {
        v->index->value = know_integer(index);
    }
    if (v->row)
        forget_row(p, v);
    v->value.steps.bits = v->value.inner.bits = 64;
    v->value.steps.is_signed = v->value.inner.is_signed = true;
}

static void relations_check(struct prover *p)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct variable *v = p->old_text.variables.items[i];
        const char *fault;

        v->version = 0;
        if (!v->index || !(v->is_set || v->index->is_set || (v->row && v->row->is_set)))
            continue;
        v->buffer = v->buffer                  ? v->buffer
                    : known_is_null(&v->value) ? origin_of(p, v)
                                               : v->value.buffer;
        if (v->relation == R_PART && !v->allowed.count && v->buffer) {
            if (v->type->kind == DL__T_POINTER)
                offsets_of_type(p, v->buffer->element, 0, v->type->element, &v->allowed);
        }
        if (v->relation != R_PART && !v->allowed.count)
            DL__PUSH(p->arena, &v->allowed, 0);
        fault = relation_fault(p, &v->value, &v->index->value,
                               v->row ? &v->row->value : NULL, &v->allowed);
        if (!fault && v->row)
            v->split = split_join(p, v->at,
                                  split_known(p, &v->value, &v->index->value.integer,
                                              &v->row->value.integer));
        if (!fault && !v->buffer)
            fault = "which buffer a null pointer is of is not known";
        if (v->buffer)
            relation_forget(p, v);
        if (fault)
            lose(p, "%s", fault);
    }
    for (size_t i = 0; i < p->new_text.variables.count; i++) {
        struct variable *v = p->new_text.variables.items[i];

        v->version = 0;
        if (v->is_set && !v->is_kept)
            lose(p, "'%s' is set, but stands for nothing of the program's", v->name);
    }
}

/* ---- expressions ---- */

static struct known prove_place(struct prover *p, struct side_text *t,
                                struct dl__node *n);

/* `p.dl_o`: a half of a variable; NULL: it is none. */
static struct variable *half_of(struct side_text *t, struct dl__node *to, bool *is_inner)
{
    struct variable *v;
    struct dl__node *of;

    if (!t->is_new || to->kind != DL__N_MEMBER || to->child_count != 1)
        return NULL;
    for (of = to->children[0]; of->kind == DL__N_PAREN;)
        of = of->children[0];
    v = of->kind == DL__N_NAME ? find_variable(t, of->declared_at) : NULL;
    *is_inner = !strcmp(to->name, "dl_o");
    if (!v || v->relation == R_COMMON ||
        !(v->value.kind == K_PART || (v->value.kind == K_FAR && v->value.buffer)) ||
        (!*is_inner && strcmp(to->name, "dl_i")))
        return NULL;
    return v;
}

static struct known assign_half(struct prover *p, struct side_text *t, struct dl__node *n,
                                struct dl__node *to, const char *op, struct known by,
                                bool old_value, struct variable *v, bool is_inner)
{
    const struct dl__type *type = type_of(t, to);
    struct known before = know_integer(is_inner ? v->value.inner : v->value.integer);
    struct known half = *op ? combine(p, t, n, op, before, by, type) : by;
    struct known value = v->value;

    half = convert_known(p, half, type);
    if (half.kind != K_INTEGER)
        lose(p, "what a pointer became is changed in a way that is not understood");
    *(is_inner ? &value.inner : &value.integer) = half.integer;
    set_variable(p, t, v, value);
    return old_value ? before : half;
}

/* Where a pointer points to, which is all of the node. */
static struct known place_pointed_to(struct prover *p, struct side_text *t,
                                     struct dl__node *n)
{
    struct known out = prove_value(p, t, n);

    if (out.kind == K_OPAQUE)
        return know_address(out.number);
    if (out.kind != K_PLACE)
        lose(p, "a pointer is not understood");
    return out;
}

/* `to` is set to `by`, or to what `op` makes of both; `old_value`: the value is that
 * before. */
static struct known prove_assignment(struct prover *p, struct side_text *t,
                                     struct dl__node *n, struct dl__node *to,
                                     const char *op, struct known by, bool old_value)
{
    const struct dl__type *type = type_of(t, to), *whole;
    modular lanes = 0;
    struct known place, before, value;
    struct variable *half;
    struct dl__node *host = to;
    bool is_inner;

    while (host->kind == DL__N_PAREN)
        host = host->children[0];
    half = half_of(t, host, &is_inner);
    if (half)
        return assign_half(p, t, n, host, op, by, old_value, half, is_inner);
    if (host->kind == DL__N_IMPLICIT && host->child_count == 1 && !is_wrapper(t, host)) {
        lanes = own_tokens(t, host);
        host = host->children[0];
    }
    whole = type_of(t, host);
    if (lanes && whole->kind == DL__T_POINTER) {
        whole = whole->element;
        place = place_pointed_to(p, t, host);
    } else {
        place = prove_place(p, t, host);
    }
    value = by;
    if (*op) {
        before = place.variable && place.variable->type->kind != DL__T_STRUCT && !lanes
                     ? read_variable(p, place.variable)
                     : load_known(p, t, host, place, whole, lanes);
        value =
            combine(p, t, n, op, before, by,
                    type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes < 4
                        ? type_of(t, n)
                        : type);
        if (value.kind == K_INTEGER)
            value = convert_known(p, value, type);
    } else {
        if (value.kind == K_INTEGER)
            value = convert_known(p, value, type);
        before = value;
    }
    if (place.variable && !lanes &&
        ((place.variable->type->kind != DL__T_STRUCT &&
          place.variable->type->kind != DL__T_ARRAY) ||
         (place.variable->relation != R_COMMON &&
          (value.kind == K_PART || value.kind == K_FAR))))
        set_variable(p, t, place.variable, value);
    else
        store_known(p, t, host, place, whole, lanes, value);
    return old_value ? before : value;
}

/* ---- Calls of what OpenCL C brings. ---- */

/* A run of elements lies in an array of them: places that one of them is not at are not
 * meant. */
static void keep_runs(struct prover *p, struct known *place,
                      const struct dl__type *vector)
{
    struct offsets all = {0}, kept = {0};

    if (!place->buffer || place->offsets.count < 2 || place->buffer->is_flat)
        return;
    offsets_of_type(p, place->buffer->element, 0, vector->element, &all);
    for (size_t i = 0; i < place->offsets.count; i++) {
        uint32_t at = place->offsets.items[i], run = 0;

        for (size_t k = 0; k < all.count && run < vector->count; k++)
            if (all.items[k] == at + run * vector->element->bytes) {
                run++;
                k = SIZE_MAX; /* from the first on */
            }
        if (run == vector->count)
            DL__PUSH(p->arena, &kept, at);
    }
    place->offsets = kept.count ? kept : place->offsets;
}

static struct known prove_vload(struct prover *p, struct side_text *t, struct dl__node *n,
                                struct known *a)
{
    bool stores = n->name[1] == 's';
    struct known *pointer = &a[stores ? 2 : 1], *by = &a[stores ? 1 : 0], place;
    const struct dl__type *vector = stores ? type_of(t, n->children[1]) : type_of(t, n);
    struct dl__type *type = DL__NEW(p->arena, struct dl__type);

    if (pointer->kind != K_PLACE || by->kind != K_INTEGER || vector->kind != DL__T_VECTOR)
        lose(p, "'%s' is not followed here", n->name);
    *type = *vector;
    type->bytes = (uint32_t)vector->count * vector->element->bytes;
    place =
        place_moved(p, *pointer,
                    integer_combine('*', wide(seal(p, by->integer)),
                                    integer_constant((wide_int)vector->count, 64, true)),
                    vector->element);
    keep_runs(p, &place, vector);
    if (!stores)
        return load_known(p, t, n, place, type, 0);
    store_known(p, t, n, place, type, 0, a[0]);
    return know_opaque(0);
}

static bool starts_with(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

/* vload_half and vstore_half of one element, whatever they make of it. False: it is
 * another function. */
static bool prove_half(struct prover *p, struct side_text *t, struct dl__node *n,
                       const struct known *a, struct known *out)
{
    bool stores = starts_with(n->name, "vstore_half");
    size_t at = stores ? 2 : 1;
    struct known place, value;
    struct integer by;
    const struct dl__type *type;

    if ((!stores && strcmp(n->name, "vload_half") != 0) ||
        strpbrk(n->name, "0123456789") || n->child_count != at + 2 ||
        a[at].kind != K_PLACE || a[at - 1].kind != K_INTEGER)
        return false;
    type = type_of(t, n->children[at + 1])->element;
    by = seal(p, a[at - 1].integer);
    place = is_zero(by) ? a[at] : place_moved(p, a[at], by, type);
    if (stores) {
        value = a[0];
        store_known(p, t, n, place, type, 0,
                    know_opaque(draw_text(n->name, "half", 4) ^
                                draw("half", key_of(p, &value), 0, 0)));
        *out = know_opaque(0);
        return true;
    }
    value = load_known(p, t, n, place, type, 0);
    *out = know_typed(draw("half", key_of(p, &value), 1, 0), type_of(t, n));
    return true;
}

/* Ids and sizes of a launch in one dimension: larger ones are not run in tiles. */
static struct known of_launch(const char *name, struct known v)
{
    static const char names[] = "get_global_id get_local_id get_group_id get_global_size "
                                "get_local_size get_num_groups get_global_offset";

    if (dl__is_in(names, name, strlen(name)) && v.kind == K_INTEGER &&
        v.integer.bits == 64)
        v.integer.high = (wide_int)1 << 40;
    return v;
}

static void bound_minimum(struct known *out, const struct known *a, const struct known *b)
{
    if (out->kind != K_INTEGER || a->kind != K_INTEGER || b->kind != K_INTEGER)
        return;
    out->integer.low = a->integer.low < b->integer.low ? a->integer.low : b->integer.low;
    out->integer.high =
        a->integer.high < b->integer.high ? a->integer.high : b->integer.high;
}

/* A number of such a call; it is an effect where it may be one. */
static struct known prove_builtin(struct prover *p, struct side_text *t,
                                  struct dl__node *n, struct known *a)
{
    modular number = draw_text("builtin", n->name, strlen(n->name));
    struct known result;
    bool has_effect = type_of(t, n)->kind == DL__T_OTHER || !starts_with(n->name, "get_");

    if (prove_half(p, t, n, a, &result))
        return result;
    /* A hint, which the rewritten text does without. */
    if (!t->is_new && !strcmp(n->name, "prefetch") && n->child_count > 1 && a[0].buffer)
        return know_opaque(0);
    for (size_t i = 0; i + 1 < n->child_count; i++) {
        const struct dl__type *type = type_of(t, n->children[i + 1]);
        modular key;

        if (a[i].kind == K_PLACE && type->kind == DL__T_POINTER) {
            if (a[i].buffer && (starts_with(n->name, "async") ||
                                starts_with(n->name, "v") || starts_with(n->name, "p")))
                lose(p, "'%s' is not followed here", n->name);
            key = address_key(p, t, n->children[i + 1], a[i], type->element->bytes);
        } else {
            key = key_of(p, &a[i]);
        }
        number = draw("argument", number, key, 0);
    }
    if (!has_effect)
        return of_launch(n->name, know_typed(number, type_of(t, n)));
    add_effect(p, t, number);
    result = know_typed(
        draw("result", number, t->is_new ? p->next_effect : p->effects.count, p->clock),
        type_of(t, n));
    if (!strcmp(n->name, "min") && n->child_count == 3)
        bound_minimum(&result, &a[0], &a[1]);
    return result;
}

/* Functions that are one sum of their arguments: a call is that sum, in both texts. */

enum { SUM_DEPTH_MAX = 8 };

/* The expression that a function returns, where that is all it has. */
static struct dl__node *returned(struct side_text *t, struct dl__function *f)
{
    struct dl__node *body = dl__ast_body(&t->w->ast, f);

    return body->child_count == 1 && body->children[0]->kind == DL__N_RETURN &&
                   body->children[0]->child_count == 1
               ? body->children[0]->children[0]
               : NULL;
}

static bool is_pure(struct side_text *t, struct dl__function *f, unsigned depth);

static bool is_sum(struct side_text *t, const struct dl__function *f, struct dl__node *n,
                   unsigned depth)
{
    size_t first = 0;

    switch (n->kind) {
    case DL__N_NAME:
        return n->is_constant || parameter_at(f, n->declared_at) != SIZE_MAX;
    case DL__N_UNARY:
        if (!strchr("+-~", n->op[0]) || n->op[1])
            return false;
        break;
    case DL__N_BINARY:
        if (!n->op[0] || !strchr("+-*/%<>&|^", n->op[0]) || !strcmp(n->op, "&&") ||
            !strcmp(n->op, "||"))
            return false;
        break;
    case DL__N_CALL: {
        struct dl__function *g = dl__ast_callee(&t->w->ast, n);

        if (!g || !is_pure(t, g, depth + 1))
            return false;
        first = 1;
        break;
    }
    case DL__N_OTHER:
        return !n->child_count && is_number(type_of(t, n));
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        break;
    default:
        return false;
    }
    if (!is_number(type_of(t, n)))
        return false;
    for (size_t i = first; i < n->child_count; i++)
        if (!is_sum(t, f, n->children[i], depth))
            return false;
    return true;
}

static bool is_pure(struct side_text *t, struct dl__function *f, unsigned depth)
{
    struct dl__node *value;

    if (depth > SUM_DEPTH_MAX || !f->is_defined || f->is_kernel || !is_number(f->result))
        return false;
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!is_number(f->parameters[i].type) || !*f->parameters[i].name)
            return false;
    value = returned(t, f);
    return value && is_sum(t, f, value, depth);
}

/* Declares a function's parameters as these values. */
static void declare_arguments(struct prover *p, struct side_text *t,
                              const struct dl__function *f, const struct known *a,
                              bool is_kept)
{
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *q = &f->parameters[i];
        struct variable *v = declare_variable(p, t, q->name, q->name_at, q->type);

        v->relation = R_VALUE;
        v->is_kept = is_kept;
        v->value = is_kept ? convert_known(p, a[i], q->type) : a[i];
    }
}

/* The value of a call of a function that is one sum of its arguments; false: it is
 * another. */
static bool prove_pure(struct prover *p, struct side_text *t, struct dl__function *f,
                       const struct known *a, struct known *out)
{
    size_t variables = t->variables.count;

    if (!is_pure(t, f, 0))
        return false;
    declare_arguments(p, t, f, a, true);
    *out = convert_known(p, prove_value(p, t, returned(t, f)), f->result);
    t->variables.count = variables;
    return true;
}

/* Calls: generated accessors are looked into, helpers' copies compared with the
 * helpers. */

enum { PATHS_MAX = 16, DEPTH_MAX = 16 };

/* ---- generated functions ---- */

static struct known run_statements(struct prover *p, struct side_text *t,
                                   struct dl__node *n, bool *returned);

/* Decides a condition of an accessor's: as the path has it, unless it is known. */
static bool decide(struct prover *p, struct side_text *t, struct dl__node *n)
{
    struct known a, b;
    struct fact fact;
    bool yes, reversed;

    n = dl__strip(n);
    if (n->kind != DL__N_BINARY || !n->op[0])
        lose(p, "a condition of an accessor is not understood");
    if (!strcmp(n->op, "||"))
        return decide(p, t, n->children[0]) || decide(p, t, n->children[1]);
    a = prove_value(p, t, n->children[0]);
    b = prove_value(p, t, n->children[1]);
    if (a.kind != K_INTEGER || b.kind != K_INTEGER || n->op[0] == '=' || n->op[0] == '!')
        lose(p, "a condition of an accessor is not understood");
    a.integer = seal(p, a.integer);
    b.integer = seal(p, b.integer);
    reversed = !strcmp(n->op, ">") || !strcmp(n->op, "<=");
    fact.left = reversed ? b.integer : a.integer;
    fact.right = reversed ? a.integer : b.integer;
    if (fact.left.high < fact.right.low)
        fact.is_less = true;
    else if (fact.left.low >= fact.right.high)
        fact.is_less = false;
    else
        fact.is_less = p->path >> p->decided++ & 1;
    if (p->decided > 4)
        lose(p, "an accessor has too many branches");
    DL__PUSH(p->arena, &p->facts, fact);
    yes = !strcmp(n->op, "<") || !strcmp(n->op, ">") ? fact.is_less : !fact.is_less;
    return yes;
}

static struct known run_declaration(struct prover *p, struct side_text *t,
                                    struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__node *c = n->children[i], *init;
        struct variable *v;

        if (c->kind != DL__N_VARIABLE)
            lose(p, "an accessor's declaration is not understood");
        v = declare_variable(p, t, c->name, c->declared_at, type_of(t, c));
        v->relation = R_VALUE;
        v->value.kind = K_INTEGER; /* nothing yet */
        v->value.integer =
            integer_opaque(draw("unset", p->clock, c->begin, 0), 64, false);
        init = c->child_count ? c->children[c->child_count - 1] : NULL;
        if (init && v->type->kind == DL__T_SCALAR && init->begin > c->name_at)
            v->value = prove_value(p, t, init);
        if (v->type->kind == DL__T_SCALAR)
            v->value = convert_known(p, v->value, v->type);
    }
    return know_opaque(0);
}

static struct known run_branch(struct prover *p, struct side_text *t, struct dl__node *n,
                               bool *returned)
{
    if (strncmp(t->w->ast.text + n->begin, "if", 2) || n->child_count != 2)
        lose(p, "an accessor has a loop");
    return decide(p, t, n->children[0]) ? run_statements(p, t, n->children[1], returned)
                                        : know_opaque(0);
}

static struct known run_statements(struct prover *p, struct side_text *t,
                                   struct dl__node *n, bool *returned)
{
    struct known out = know_opaque(0);

    switch (n->kind) {
    case DL__N_STATEMENT:
        for (size_t i = 0; i < n->child_count && !*returned; i++)
            out = run_statements(p, t, n->children[i], returned);
        return out;
    case DL__N_BRANCH:
        return run_branch(p, t, n, returned);
    case DL__N_DECL_STATEMENT:
        return run_declaration(p, t, n);
    case DL__N_RETURN:
        *returned = true;
        return n->child_count ? prove_value(p, t, n->children[0]) : out;
    default:
        prove_value(p, t, n);
        return out;
    }
}

/* `({ T dl_s; CALL; dl_s; })`: a struct that is handed to its accessor by a pointer. */
static struct known prove_block(struct prover *p, struct side_text *t, struct dl__node *n)
{
    size_t variables = t->variables.count;
    struct known out = know_opaque(0);

    while (n->child_count == 1 && n->children[0]->kind == DL__N_STATEMENT)
        n = n->children[0];
    for (size_t i = 0; i < n->child_count; i++) {
        if (n->children[i]->kind == DL__N_DECL_STATEMENT)
            run_declaration(p, t, n->children[i]);
        else
            out = prove_value(p, t, n->children[i]);
    }
    t->variables.count = variables;
    return out;
}

/* One way through a generated function. */
static struct known run_path(struct prover *p, struct side_text *t,
                             struct dl__function *f, const struct known *arguments)
{
    size_t variables = t->variables.count;
    bool returned = false;
    struct known out;

    declare_arguments(p, t, f, arguments, false);
    out = run_statements(p, t, dl__ast_body(&t->w->ast, f), &returned);
    t->variables.count = variables;
    return out;
}

static void *copied(struct prover *p, const void *items, size_t bytes)
{
    void *out = dl__arena_alloc(p->arena, bytes + 1);

    return bytes ? memcpy(out, items, bytes) : out;
}

/* Adds the places of one way through an accessor, under the conditions of that. */
static void add_spots(struct prover *p, struct known *all, const struct known *one)
{
    const struct reached plain = {.index = one->steps, .extra = one->inner};
    const struct reached *more = one->spot_count ? one->spots : &plain;
    size_t count = one->spot_count ? one->spot_count : 1;
    struct reached *spots =
        dl__arena_alloc(p->arena, (all->spot_count + count) * sizeof *spots);

    if (one->kind != K_PLACE || !one->buffer)
        lose(p, "an accessor gives another pointer");
    if (all->spot_count && all->buffer != one->buffer)
        lose(p, "an accessor gives another buffer");
    for (size_t i = 0; i < all->spot_count; i++)
        spots[i] = all->spots[i];
    for (size_t i = 0; i < count; i++) {
        struct reached *s = &spots[all->spot_count + i];

        *s = more[i];
        s->facts = copied(p, p->facts.items, p->facts.count * sizeof *s->facts);
        s->fact_count = p->facts.count;
        s->divisions =
            copied(p, p->divisions.items, p->divisions.count * sizeof *s->divisions);
        s->division_count = p->divisions.count;
    }
    all->kind = K_PLACE;
    all->buffer = one->buffer;
    all->spots = spots;
    all->spot_count += count;
}

static struct known run_generated(struct prover *p, struct side_text *t,
                                  struct dl__function *f, const struct known *arguments)
{
    struct known out = {0};
    bool outer = p->in_accessor;
    unsigned path = p->path, decided = p->decided;
    size_t facts = p->facts.count, divisions = p->divisions.count;

    if (!f->is_defined || p->depth++ >= DEPTH_MAX)
        lose(p, "'%s' is not understood", f->name);
    p->in_accessor = true;
    if (f->result->kind != DL__T_POINTER) {
        p->path = p->decided = 0;
        out = run_path(p, t, f, arguments);
        if (p->decided)
            lose(p, "an accessor's result hangs on a condition");
    } else {
        out.inner = integer_zero();
        /* Bits that a path does not ask for must be 0, so that it is taken once. */
        for (unsigned i = 0; i < PATHS_MAX; i++) {
            struct known one;

            p->path = i;
            p->decided = 0;
            one = run_path(p, t, f, arguments);
            if (!(i >> p->decided))
                add_spots(p, &out, &one);
            p->facts.count = facts;
            p->divisions.count = divisions;
        }
    }
    p->in_accessor = outer;
    p->path = path;
    p->decided = decided;
    p->facts.count = facts;
    p->depth--;
    return out;
}

/* ---- helpers ---- */

/* The arguments that stand for one pointer: its buffer, its place in it, and what tiles
 * need. */
static void match_pointer(struct prover *p, const struct known *old_place,
                          const char *name, struct dl__function *f, const struct known *a,
                          bool *used, struct pair_parameter *out)
{
    static const char *const prefixes[] = {"",         "dl_at_",   "dl_row_",
                                           "dl_head_", "dl_tail_", "dl_w_"};
    const struct proved_buffer *b;
    const struct known *with[6];
    const char *fault;

    for (int i = 0; i < 6; i++) {
        size_t at = parameter_named(f, prefixes[i], name);

        with[i] = at == SIZE_MAX ? NULL : &a[at];
        if (at != SIZE_MAX)
            used[at] = true;
    }
    b = old_place->buffer || !with[0] ? old_place->buffer : with[0]->buffer;
    if (!with[0] || !b || with[0]->buffer != b || !is_begin(with[0]))
        lose(p, "a helper's copy is given another buffer");
    if (!with[1] && !is_begin(old_place))
        lose(p, "a helper's copy is not told where a pointer is");
    if (p->is_tiled && (!with[3] || !with[4]))
        lose(p, "a helper's copy lacks what tiles need");
    if ((with[3] && !is_equal(p, with[3], b->head)) ||
        (with[4] && !is_equal(p, with[4], b->tail)) ||
        (with[5] && !is_equal(p, with[5], b->width)))
        lose(p, "a helper's copy is given another buffer's tiles");
    out->buffer = b;
    out->allowed = old_place->offsets;
    if (known_is_null(old_place)) {
        out->allowed = (struct offsets){0};
        DL__PUSH(p->arena, &out->allowed, 0);
    }
    if (!with[1])
        return;
    fault = relation_fault(p, old_place, with[1], with[2], &out->allowed);
    if (fault)
        lose(p, "%s", fault);
    if (with[2])
        out->split = split_known(p, old_place, &with[1]->integer, &with[2]->integer);
}

static modular argument_key(struct prover *p, struct known *v)
{
    if (v->kind == K_PLACE && v->variable && v->variable->relation != R_COMMON)
        lose(p, "the address of what became of a pointer is taken");
    return key_of(p, v);
}

/* Returns what is known of an argument that a copy may split its indices by: nothing, but
 * of constants and of widths. */
static struct integer told(struct prover *p, const struct known *v,
                           const struct dl__type *type)
{
    struct known as;
    int64_t value;

    if (v->kind != K_INTEGER || type->kind != DL__T_SCALAR)
        return (struct integer){0};
    as = convert_known(p, *v, type);
    if (as.kind != K_INTEGER)
        return (struct integer){0};
    as.integer = seal(p, as.integer);
    return integer_is_constant(as.integer, &value) || known_width(p, &as.integer)
               ? as.integer
               : (struct integer){0};
}

/* True when a comparison with what is known of `a` holds for `b`. */
static bool is_same_parameter(const struct pair_parameter *a,
                              const struct pair_parameter *b)
{
    const struct integer *x = &a->fixed, *y = &b->fixed;

    if (a->buffer != b->buffer || !is_same(&a->split, &b->split) || x->bits != y->bits ||
        x->exact != y->exact || x->low != y->low || x->high != y->high ||
        a->allowed.count < b->allowed.count)
        return false;
    for (size_t i = 0; i < b->allowed.count; i++)
        if (a->allowed.items[i] != b->allowed.items[i])
            return false;
    return true;
}

/* Has the pair of these functions with these buffers compared, unless it was. */
static void want_pair(struct prover *p, const struct pair *wanted)
{
    struct pair *pair;

    for (size_t i = 0; i < p->pairs.count; i++) {
        size_t k = 0;

        pair = p->pairs.items[i];
        if (pair->old_function != wanted->old_function ||
            pair->new_function != wanted->new_function)
            continue;
        while (k < wanted->old_function->parameter_count &&
               is_same_parameter(&pair->parameters[k], &wanted->parameters[k]))
            k++;
        if (k == wanted->old_function->parameter_count)
            return;
    }
    pair = DL__NEW(p->arena, struct pair);
    *pair = *wanted;
    DL__PUSH(p->arena, &p->pairs, pair);
}

static void match_call(struct prover *p, struct effect *e, struct dl__function *f,
                       struct known *a)
{
    struct dl__function *g = e->callee;
    bool *used = dl__arena_alloc(p->arena, f->parameter_count + 1), copied = false;
    struct pair wanted = {.old_function = g,
                          .new_function = f,
                          .parameters =
                              dl__arena_alloc(p->arena, (g->parameter_count + 1) *
                                                            sizeof *wanted.parameters),
                          .result = f->result->kind == DL__T_POINTER ? NULL : e->result};

    for (size_t i = 0; i < g->parameter_count; i++) {
        struct known *v = &e->arguments[i];
        const char *name = g->parameters[i].name;
        size_t at = parameter_named(f, "", name);

        /* A null pointer into the buffer that the copy is given. */
        if ((v->kind == K_PLACE && v->buffer) ||
            (known_is_null(v) && parameter_named(f, "dl_at_", name) < SIZE_MAX)) {
            match_pointer(p, v, name, f, a, used, &wanted.parameters[i]);
            copied = true;
            continue;
        }
        if (!*name)
            at = i < f->parameter_count && !copied ? i : SIZE_MAX;
        if (at == SIZE_MAX || argument_key(p, v) != argument_key(p, &a[at]))
            lose(p, "'%s' is called with another argument", g->name);
        used[at] = true;
        wanted.parameters[i].fixed = told(p, v, g->parameters[i].type);
    }
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!used[i])
            lose(p, "a helper's copy has one parameter more");
    if (!copied && strcmp(f->name, g->name))
        lose(p, "another function is called");
    if (copied)
        want_pair(p, &wanted);
}

/* The buffer that a returned pointer points into; NULL: it is not known. */
static const struct proved_buffer *returned_buffer(struct prover *p,
                                                   struct dl__function *f,
                                                   const struct known *a, size_t count)
{
    size_t at = f->is_defined && f->result->kind == DL__T_POINTER
                    ? origin_in_body(p, f, SIZE_MAX, 0)
                    : SIZE_MAX;

    return at < count && a[at].kind == K_PLACE ? a[at].buffer : NULL;
}

/* Anywhere in the buffer. */
static struct known returned_place(struct prover *p, const struct proved_buffer *b,
                                   const struct dl__type *pointee, modular number)
{
    struct known out = know_place(b, integer_opaque(number, 64, true), integer_zero());

    offsets_of_type(p, b->element, 0, pointee, &out.offsets);
    if (type_number(pointee) != type_number(b->element))
        out.inner = integer_opaque(draw("inner", number, 0, 0), 64, true);
    return out;
}

static struct known call_defined(struct prover *p, struct side_text *t,
                                 struct dl__node *n, struct dl__function *f,
                                 struct known *a)
{
    struct effect e = {.kind = E_CALL, .callee = f, .arguments = a};
    modular number;

    if (p->in_accessor)
        lose(p, "an accessor calls what is not understood");
    if (!t->is_new) {
        e.argument_count = n->child_count - 1;
        for (size_t i = 0; i < e.argument_count; i++)
            if (a[i].kind != K_PLACE || !a[i].buffer)
                argument_key(p, &a[i]);
        number = draw("call", p->effects.count, p->clock, 0);
        e.result = returned_buffer(p, f, a, e.argument_count);
        DL__PUSH(p->arena, &p->effects, e);
        if (e.result)
            return returned_place(p, e.result, f->result->element, number);
    } else {
        if (p->next_effect >= p->effects.count ||
            p->effects.items[p->next_effect].kind != E_CALL)
            lose(p, "the program does not call '%s' here", f->name);
        match_call(p, &p->effects.items[p->next_effect], f, a);
        number = draw("call", p->next_effect, p->clock, 0);
        p->next_effect++;
    }
    if (t->is_new && is_prelude_type(f->result, "dl_part"))
        return know_part(
            integer_opaque(number, p->index_bits, false),
            integer_opaque(draw("inner", number, 0, 0), p->index_bits, false));
    return know_typed(number, type_of(t, n));
}

static struct known prove_call(struct prover *p, struct side_text *t, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(&t->w->ast, n);
    struct known *a = dl__arena_alloc(p->arena, (n->child_count + 1) * sizeof *a);
    struct known out;

    if (!n->child_count || !n->name)
        lose(p, "a call is not understood");
    for (size_t i = 1; i < n->child_count; i++)
        a[i - 1] = prove_value(p, t, n->children[i]);
    if (!f && !strstr(n->name, "half") &&
        (starts_with(n->name, "vload") || starts_with(n->name, "vstore")))
        return prove_vload(p, t, n, a);
    if (!f)
        return prove_builtin(p, t, n, a);
    if (t->is_new && prove_prelude(p, n, a, n->child_count - 1, &out))
        return out;
    if (t->is_new && parameter_named(f, "", "dl_f") != SIZE_MAX &&
        is_generated(p, f->name, strlen(f->name)))
        return run_generated(p, t, f, a);
    if (prove_pure(p, t, f, a, &out))
        return out;
    return call_defined(p, t, n, f, a);
}

/* ---- What an expression of either text is known to be, and what it changes. ---- */

/* x & 7 is not larger than 7 */
static void bound_mask(struct known *out, const struct known *a)
{
    int64_t mask;

    if (out->kind == K_INTEGER && a->kind == K_INTEGER &&
        integer_is_constant(a->integer, &mask) && mask >= 0) {
        out->integer.low = 0;
        out->integer.high = mask;
    }
}

/* x >> 6 of what is not negative */
static void bound_shift(struct known *out, const struct known *a, const struct known *b)
{
    int64_t by;

    if (out->kind != K_INTEGER || a->kind != K_INTEGER || b->kind != K_INTEGER ||
        a->integer.low < 0 || !integer_is_constant(b->integer, &by) || by < 0 || by > 30)
        return;
    out->integer.low = a->integer.low >> by;
    out->integer.high = a->integer.high >> by;
}

static void mark(struct prover *p, struct side_text *t, const char *what)
{
    add_effect(p, t, draw(what, 0, 0, 0));
}

/* The operand that another decides about. */
static struct known evaluate_branch(struct prover *p, struct side_text *t,
                                    struct dl__node *n)
{
    bool before = p->in_branch;
    struct known out;

    p->in_branch = true;
    mark(p, t, "branch");
    out = prove_value(p, t, n);
    p->in_branch = before;
    mark(p, t, "end");
    return out;
}

/* `f && p != DL_NULL`, `!f || p == DL_NULL`: true when it is one of them. */
static bool null_check(struct prover *p, struct side_text *t, struct dl__node *n,
                       struct known *out)
{
    bool is_there = !strcmp(n->op, "&&");
    struct dl__node *left = dl__strip(n->children[0]), *right = dl__strip(n->children[1]);
    struct known base, null;
    size_t next = p->next_effect;

    if (!t->is_new || right->kind != DL__N_BINARY ||
        strcmp(right->op, is_there ? "!=" : "==") ||
        (!is_there && (left->kind != DL__N_UNARY || strcmp(left->op, "!"))))
        return false;
    left = is_there ? left : dl__strip(left->children[0]);
    if (left->kind != DL__N_NAME || dl__strip(right->children[1])->kind != DL__N_BINARY)
        return false;
    null = prove_value(p, t, right->children[1]);
    base = prove_value(p, t, left);
    if (!is_index_null(p, &null) || !is_begin(&base))
        return false;
    *out = prove_value(p, t, right->children[0]);
    if (out->kind != K_INTEGER || p->next_effect != next)
        lose(p, "whether a pointer is null is asked of something else");
    base.steps = out->integer;
    *out = truth(base);
    if (!is_there)
        *out = negated(p, *out, type_of(t, n));
    return true;
}

static struct known evaluate_binary(struct prover *p, struct side_text *t,
                                    struct dl__node *n)
{
    struct known a, b, out;

    if (!n->op[0])
        lose(p, "an operator can't be read");
    if (!strcmp(n->op, "=")) {
        b = prove_value(p, t, n->children[1]);
        return prove_assignment(p, t, n, n->children[0], "", b, false);
    }
    if ((!strcmp(n->op, "&&") || !strcmp(n->op, "||")) && null_check(p, t, n, &out))
        return out;
    a = prove_value(p, t, n->children[0]);
    if (!strcmp(n->op, ","))
        return prove_value(p, t, n->children[1]);
    if (!strcmp(n->op, "&&") || !strcmp(n->op, "||")) {
        a = truth(a);
        b = truth(evaluate_branch(p, t, n->children[1]));
        return know_typed(draw(n->op, key_of(p, &a), key_of(p, &b), 0), type_of(t, n));
    }
    b = prove_value(p, t, n->children[1]);
    out = combine(p, t, n, n->op, a, b, type_of(t, n));
    if (!strcmp(n->op, ">>"))
        bound_shift(&out, &a, &b);
    if (!strcmp(n->op, "&")) {
        bound_mask(&out, &a);
        bound_mask(&out, &b);
    }
    return out;
}

static struct known evaluate_unary(struct prover *p, struct side_text *t,
                                   struct dl__node *n)
{
    const struct dl__type *type = type_of(t, n);
    struct known v;

    if (!strcmp(n->op, "&"))
        return prove_place(p, t, n->children[0]);
    if (!strcmp(n->op, "*")) {
        v = prove_place(p, t, n);
        return load_known(p, t, n, v, type, 0);
    }
    if (!strcmp(n->op, "++") || !strcmp(n->op, "--")) {
        char op[2] = {n->op[0], '\0'};

        v = know_integer(integer_constant(1, 32, true));
        if (type->kind != DL__T_SCALAR && type->kind != DL__T_POINTER)
            lose(p, "++ of this type is not understood");
        if (type->kind == DL__T_SCALAR && type->scalar == 'f')
            v = know_opaque(draw("one", 0, 0, 0));
        return prove_assignment(p, t, n, n->children[0], op, v, n->postfix);
    }
    v = prove_value(p, t, n->children[0]);
    if (!strcmp(n->op, "!"))
        return negated(p, truth(v), type);
    if (v.kind == K_INTEGER && type->kind == DL__T_SCALAR) {
        struct integer to = convert_known(p, v, type).integer;

        if (!strcmp(n->op, "+"))
            return know_integer(to);
        if (!strcmp(n->op, "-") || !strcmp(n->op, "~"))
            return know_integer(integer_combine(
                '-', integer_constant(n->op[0] == '-' ? 0 : -1, to.bits, to.is_signed),
                to));
    }
    return know_typed(draw(n->op, key_of(p, &v), type_number(type), 1), type);
}

/* ---- places ---- */

static const struct dl__field *find_field(const struct dl__struct *s, const char *name,
                                          uint32_t *offset_bytes)
{
    for (size_t i = 0; i < s->field_count; i++) {
        const struct dl__field *f = &s->fields[i], *in;

        if (!strcmp(f->name, name) && *name) {
            *offset_bytes += f->offset_bytes;
            return f;
        }
        if (*f->name || f->type->kind != DL__T_STRUCT)
            continue;
        in = find_field(f->type->identity, name, offset_bytes);
        if (in) {
            *offset_bytes += f->offset_bytes;
            return in;
        }
    }
    return NULL;
}

static struct known place_of_name(struct side_text *t, struct dl__node *n)
{
    struct variable *v = find_variable(t, n->declared_at);
    struct known out = know_address(v ? draw("address", v->number, 0, 0)
                                      : draw_text("name", n->name, strlen(n->name)));

    out.variable = v;
    return out;
}

static struct known prove_place(struct prover *p, struct side_text *t, struct dl__node *n)
{
    struct known out;

    while (n->child_count == 1 && (n->kind == DL__N_PAREN || is_wrapper(t, n)))
        n = n->children[0];
    if (n->kind == DL__N_NAME)
        return place_of_name(t, n);
    if (n->kind == DL__N_UNARY && !strcmp(n->op, "*")) {
        out = prove_value(p, t, n->children[0]);
    } else if (n->kind == DL__N_SUBSCRIPT) {
        struct known a = prove_value(p, t, n->children[0]);
        struct known b = prove_value(p, t, n->children[1]);
        bool swapped = a.kind == K_INTEGER;

        out = swapped ? b : a;
        if (out.kind != K_PLACE || (swapped ? a : b).kind != K_INTEGER)
            lose(p, "an array of this kind is not understood");
        return place_moved(p, out, (swapped ? a : b).integer, type_of(t, n));
    } else if (n->kind == DL__N_MEMBER && n->child_count == 1) {
        const struct dl__type *in = type_of(t, n->children[0]);
        uint32_t offset_bytes = 0;

        out = in->kind == DL__T_POINTER ? prove_value(p, t, n->children[0])
                                        : prove_place(p, t, n->children[0]);
        in = in->kind == DL__T_POINTER ? in->element : in;
        if (out.kind == K_PART && in->kind == DL__T_STRUCT)
            lose(p, "a part is looked into");
        if (in->kind != DL__T_STRUCT || !find_field(in->identity, n->name, &offset_bytes))
            lose(p, "a member can't be found");
        if (out.kind == K_OPAQUE)
            out = know_address(out.number);
        out = place_member(p, out, offset_bytes);
    } else {
        out = prove_value(p, t, n);
        if (out.kind == K_OPAQUE)
            return know_address(out.number);
    }
    if (out.kind != K_PLACE)
        lose(p, "a pointer is not understood");
    return out;
}

/* ---- everything ---- */

/* `f ? DL_NULL : 0`: true when it is one, a null pointer. */
static bool null_choice(struct prover *p, struct side_text *t, struct dl__node *n,
                        struct known *out)
{
    struct dl__node *asked = dl__strip(n->children[0]), *null = dl__strip(n->children[1]),
                    *otherwise = dl__strip(n->children[2]);
    struct known base;
    int64_t value;

    if (!t->is_new || asked->kind != DL__N_NAME || null->kind != DL__N_BINARY ||
        strcmp(null->op, "<<") || otherwise->child_count)
        return false;
    base = prove_value(p, t, asked);
    if (!is_begin(&base))
        return false;
    *out = prove_value(p, t, otherwise);
    if (out->kind != K_INTEGER || !integer_is_constant(out->integer, &value) || value)
        return false;
    *out = prove_value(p, t, null);
    return is_index_null(p, out);
}

static struct known evaluate_conditional(struct prover *p, struct side_text *t,
                                         struct dl__node *n)
{
    struct known c, a, b, out;
    modular key;

    if (null_choice(p, t, n, &out))
        return out;
    c = truth(prove_value(p, t, n->children[0]));
    key = key_of(p, &c);
    a = evaluate_branch(p, t, n->children[1]);
    b = evaluate_branch(p, t, n->children[2]);
    if (type_of(t, n)->kind == DL__T_POINTER) {
        a = convert_known(p, a, type_of(t, n));
        b = convert_known(p, b, type_of(t, n));
    }
    if (choose_pointer(p, key, &a, &b, &out))
        return out;
    if (a.kind == K_INTEGER && b.kind == K_INTEGER) {
        const struct dl__type *type = type_of(t, n);
        bool in_ring = type->bytes * 8 == p->index_bits && type->scalar == 'u';
        struct integer x = seal(p, a.integer), y = seal(p, b.integer);

        out = know_typed(
            draw("?:", key, in_ring ? x.ring : x.exact, in_ring ? y.ring : y.exact),
            type);
        if (out.kind == K_INTEGER) {
            out.integer.low = x.low < y.low ? x.low : y.low;
            out.integer.high = x.high > y.high ? x.high : y.high;
        }
        return out;
    }
    return know_typed(draw("?:", key, key_of(p, &a), key_of(p, &b)), type_of(t, n));
}

static struct known evaluate_size(struct prover *p, struct side_text *t,
                                  struct dl__node *n)
{
    struct dl__ast *ast = &t->w->ast;
    struct dl__lexer lexer = {.text = ast->text, .bytes = n->end, .offset = n->begin};
    struct dl__token token[6];
    uint64_t bytes = 0;
    bool is_unsigned;

    for (int i = 0; i < 6; i++)
        token[i] = dl__lex_next(&lexer);
    if (dl__token_is(&token[2], "dl_index") && t->is_new)
        bytes = p->index_bits / 8;
    else if (dl__token_is(&token[2], "char") && dl__token_is(&token[3], "["))
        dl__integer_read(token[4].text, token[4].bytes, &bytes, &is_unsigned);
    else if (n->child_count == 1)
        bytes = type_of(t, n->children[0])->bytes;
    if (!bytes)
        return know_integer(integer_opaque(own_tokens(t, n), 64, false));
    return know_integer(integer_constant((wide_int)bytes, 64, false));
}

/* A leaf of the tree: a literal, or what is compared by its tokens. */
static struct known evaluate_leaf(struct side_text *t, struct dl__node *n)
{
    const struct dl__type *type = type_of(t, n);
    uint64_t value;
    bool is_unsigned;

    if (n->end - n->begin == 4 && !strncmp(t->w->ast.text + n->begin, "NULL", 4))
        return know_null();
    if (type->kind == DL__T_SCALAR && type->scalar != 'f' && type->bytes &&
        dl__integer_read(t->w->ast.text + n->begin, n->end - n->begin, &value,
                         &is_unsigned))
        return know_integer(
            integer_constant((wide_int)value, type->bytes * 8, type->scalar == 'i'));
    return know_typed(own_tokens(t, n), type);
}

/* A vector of all the pieces of one load is that load. */
static struct known whole_of(struct prover *p, const modular *pieces,
                             const struct dl__type *type, modular else_number)
{
    uint32_t bytes = type->element->bytes;

    for (size_t i = 0; i < p->accesses.count; i++) {
        const struct access_old *access = &p->accesses.items[i];
        size_t same = 0;

        while (same < type->count &&
               pieces[same] == access_piece(p, access, (uint32_t)same * bytes, bytes))
            same++;
        if (same == type->count && access->type->bytes == type->count * bytes)
            return know_opaque(access->key);
    }
    return know_opaque(else_number);
}

/* `(float4)(v)` of a float4: the whole text is in parentheses, and nothing but a type
 * stands in it. */
static bool is_literal_of(struct side_text *t, struct dl__node *n)
{
    struct dl__node *last = n->child_count ? n->children[n->child_count - 1] : NULL;

    return last && t->w->ast.text[n->begin] == '(' && t->w->ast.text[n->end - 1] == ')' &&
           (n->child_count == 1 ||
            (n->child_count == 2 && !n->children[0]->child_count)) &&
           type_of(t, last)->kind == DL__T_VECTOR &&
           type_number(type_of(t, n)) == type_number(type_of(t, last));
}

static struct known evaluate_other(struct prover *p, struct side_text *t,
                                   struct dl__node *n)
{
    const struct dl__type *type = type_of(t, n);
    modular number = draw("node", own_tokens(t, n), n->child_count, 0);
    modular pieces[16] = {0};

    if (is_literal_of(t, n))
        return prove_value(p, t, n->children[n->child_count - 1]);
    for (size_t i = 0; i < n->child_count; i++) {
        struct known v = is_pointed_component(t, n)
                             ? load_known(p, t, n, place_pointed_to(p, t, n->children[i]),
                                          type_of(t, n->children[i])->element, 0)
                             : prove_value(p, t, n->children[i]);
        modular key = key_of(p, &v);

        if (i < 16)
            pieces[i] = key;
        number = draw("child", number, key, 0);
    }
    if (type->kind == DL__T_VECTOR && n->child_count == type->count && type->count <= 16)
        return whole_of(p, pieces, type, number);
    return know_typed(number, type);
}

static struct known evaluate_name(struct prover *p, struct side_text *t,
                                  struct dl__node *n)
{
    const struct dl__type *type = type_of(t, n);
    struct variable *v = find_variable(t, n->declared_at);

    if (n->is_constant)
        return know_integer(integer_constant(n->constant, 32, true));
    if (!v)
        return know_typed(draw_text("name", n->name, strlen(n->name)), type);
    if (v->relation != R_COMMON && (v->value.kind == K_PART || v->value.kind == K_FAR))
        return v->value;
    if (type->kind == DL__T_ARRAY || type->kind == DL__T_STRUCT) {
        struct known place = place_of_name(t, n);

        return type->kind == DL__T_ARRAY ? place : load_known(p, t, n, place, type, 0);
    }
    return read_variable(p, v);
}

/* The index or the offset of a dl_part, and what is in a dl_far. */
static bool is_half(struct prover *p, struct side_text *t, struct dl__node *n,
                    struct known *out)
{
    const struct dl__type *in = type_of(t, n->children[0]);
    bool is_part = is_prelude_type(in, "dl_part");
    struct known of;

    if (n->kind != DL__N_MEMBER || (!is_part && !is_prelude_type(in, "dl_far")))
        return false;
    of = prove_value(p, t, n->children[0]);
    if (of.kind != (is_part ? K_PART : K_FAR))
        lose(p, "a part is not understood");
    if (!strcmp(n->name, "dl_f")) {
        *out = know_null();
        if (of.buffer)
            *out = (struct known){.kind = K_PLACE,
                                  .buffer = of.buffer,
                                  .steps = integer_zero(),
                                  .inner = integer_zero(),
                                  .is_base = true,
                                  .integer = of.integer};
        return true;
    }
    if (!is_part && !of.buffer)
        lose(p, "a null pointer is looked behind");
    *out = know_integer(!strcmp(n->name, "dl_i")      ? of.integer
                        : !strcmp(n->name, "dl_o")    ? of.inner
                        : !strcmp(n->name, "dl_head") ? of.buffer->head
                                                      : of.buffer->tail);
    return true;
}

/* `v.s3` in an accessor, where elements are stored one by one. */
static bool is_element(struct prover *p, struct side_text *t, struct dl__node *n,
                       struct known *out)
{
    const struct dl__type *in = type_of(t, n->children[0]);
    const char *name = t->w->ast.text + n->end - 3;
    struct known v;
    char *end;
    long at;

    if (!p->in_accessor || in->kind != DL__T_VECTOR || n->end < 3 ||
        strncmp(name, ".s", 2))
        return false;
    at = strtol((char[]){name[2], '\0'}, &end, 16);
    if (*end || at >= (long)in->count)
        return false;
    v = prove_value(p, t, n->children[0]);
    *out = know_typed(piece(key_of(p, &v), (uint32_t)at * in->element->bytes,
                            in->element->bytes, in->bytes),
                      type_of(t, n));
    return true;
}

static struct known evaluate_implicit(struct prover *p, struct side_text *t,
                                      struct dl__node *n)
{
    struct known v;

    if (!is_wrapper(t, n))
        return is_element(p, t, n, &v) ? v : evaluate_other(p, t, n);
    v = prove_value(p, t, n->children[0]);
    return v.kind != K_INTEGER &&
                   type_number(type_of(t, n)) == type_number(type_of(t, n->children[0]))
               ? v
               : convert_known(p, v, type_of(t, n));
}

static struct known prove_value(struct prover *p, struct side_text *t, struct dl__node *n)
{
    const struct dl__type *type = type_of(t, n);
    struct known v;

    switch (n->kind) {
    case DL__N_PAREN:
        return prove_value(p, t, n->children[0]);
    case DL__N_IMPLICIT:
        return evaluate_implicit(p, t, n);
    case DL__N_NAME:
        return evaluate_name(p, t, n);
    case DL__N_SUBSCRIPT:
    case DL__N_MEMBER:
        if (t->is_new && is_half(p, t, n, &v))
            return v;
        v = prove_place(p, t, n);
        if (type->kind == DL__T_ARRAY) {
            v.array_bytes = type->bytes;
            return v;
        }
        return load_known(p, t, n, v, type, 0);
    case DL__N_UNARY:
        return evaluate_unary(p, t, n);
    case DL__N_BINARY:
        return evaluate_binary(p, t, n);
    case DL__N_COMPOUND: {
        char op[4] = "";

        memcpy(op, n->op, strlen(n->op) - (*n->op ? 1 : 0));
        v = prove_value(p, t, n->children[1]);
        return prove_assignment(p, t, n, n->children[0], op, v, false);
    }
    case DL__N_CONDITIONAL:
        return evaluate_conditional(p, t, n);
    case DL__N_CAST:
        if (!n->child_count)
            return evaluate_leaf(t, n);
        v = prove_value(p, t, n->children[n->child_count - 1]);
        return convert_known(p, v, type);
    case DL__N_CALL:
        return prove_call(p, t, n);
    case DL__N_SIZEOF:
        return evaluate_size(p, t, n);
    case DL__N_VALUE_BLOCK:
        if (t->is_new)
            return prove_block(p, t, n);
        lose(p, "a block in an expression is not followed");
    default:
        return n->child_count ? evaluate_other(p, t, n) : evaluate_leaf(t, n);
    }
}

/* ---- verdicts ---- */

static void judge(struct prover *p, const struct dl__node *n, const char *reason)
{
    struct verdict v = {n, reason, n->begin};

    for (size_t i = 0; i < p->out->verdicts.count; i++) {
        struct verdict *old = &p->out->verdicts.items[i];

        if (old->node == n) {
            old->reason = old->reason ? old->reason : reason;
            return;
        }
    }
    DL__PUSH(p->arena, &p->out->verdicts, v);
}

/* ---- expressions ---- */

/* As what two nodes are compared. */
enum wanted { U_NONE, U_VALUE, U_CONDITION, U_RETURNED, U_DECLARED, U_ADDED };

static void begin_expression(struct prover *p)
{
    p->accesses.count = p->effects.count = p->next_effect = 0;
    p->divisions.count = p->facts.count = 0;
    p->in_accessor = p->in_branch = false;
    p->depth = 0;
    p->clock = draw("clock", p->clock, 0, 0);
}

static void end_expression(struct prover *p)
{
    if (p->next_effect != p->effects.count)
        lose(p, "the program does more here");
    relations_check(p);
    for (size_t i = 0; i < p->accesses.count; i++)
        if (!p->accesses.items[i].is_reached)
            lose(p, "the rewritten text lacks it");
}

/* An expression that was not shown may have left anything behind. */
static void forget_all(struct prover *p)
{
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct variable *v = p->old_text.variables.items[i];

        v->version = 0;
        if (v->index && v->buffer)
            relation_forget(p, v);
    }
    for (size_t i = 0; i < p->new_text.variables.count; i++) {
        p->new_text.variables.items[i]->version = 0;
        p->new_text.variables.items[i]->is_set = false;
    }
}

static void judge_expression(struct prover *p, const struct dl__node *n,
                             const char *reason)
{
    for (size_t i = 0; i < p->accesses.count; i++)
        judge(p, p->accesses.items[i].node, reason);
    if (reason && !p->accesses.count)
        judge(p, n, reason);
}

/* A pointer that is given back, and what became of it. */
static void compare_returned(struct prover *p, const struct known *a,
                             const struct known *b)
{
    const struct pair *pair = p->pairs.items[p->at_pair];
    struct offsets allowed = {0};
    const char *fault;

    if (a->buffer && a->buffer != pair->result)
        lose(p, "a pointer into another buffer is returned");
    offsets_of_type(p, pair->result->element, 0, pair->old_function->result->element,
                    &allowed);
    fault = relation_fault(p, a, b, NULL, &allowed);
    if (fault)
        lose(p, "%s", fault);
}

static void compare_values(struct prover *p, struct dl__node *a, struct dl__node *b,
                           enum wanted use)
{
    struct known x = prove_value(p, &p->old_text, a);
    struct known y = prove_value(p, &p->new_text, b);

    if (use == U_CONDITION) {
        x = truth(x);
        y = truth(y);
    }
    if (use == U_RETURNED)
        compare_returned(p, &x, &y);
    else if (use != U_NONE && key_of(p, &x) != key_of(p, &y))
        lose(p, "it has another value in the rewritten text");
}

/* Declarations and parameters of both texts: what is the same, and what stands for a
 * pointer. */

/* ---- declarations ---- */

/* The initialiser of a variable; NULL: none. */
static struct dl__node *initialiser(struct side_text *t, struct dl__node *variable)
{
    struct dl__node *last =
        variable->child_count ? variable->children[variable->child_count - 1] : NULL;
    const char *text = t->w->ast.text;
    size_t at = last ? last->begin : 0;

    if (!last || last->begin <= variable->name_at)
        return NULL;
    while (at > variable->name_at && strchr(" \t\n", text[at - 1]))
        at--;
    return text[at - 1] == '=' ? last : NULL;
}

/* A pointer of the program's and what stands for it. */
static void relate(struct variable *v, struct variable *index, struct variable *row,
                   bool is_set)
{
    v->relation = is_prelude_type(index->type, "dl_part")  ? R_PART
                  : is_prelude_type(index->type, "dl_far") ? R_FAR
                                                           : R_INDEX;
    v->index = index;
    v->row = row;
    for (int i = 0; i < 2; i++, index = row)
        if (index) {
            index->relation = R_VALUE;
            index->is_kept = false;
            index->is_set = is_set;
        }
}

static void declare_new(struct prover *p, struct dl__node *c, bool is_common)
{
    struct side_text *t = &p->new_text;
    struct dl__node *init = initialiser(t, c);
    struct known value = know_opaque(0);
    struct variable *v;

    if (init)
        value = prove_value(p, t, init);
    v = declare_variable(p, t, c->name, c->declared_at, type_of(t, c));
    if (!is_common) {
        v->relation = R_VALUE;
        v->is_kept = true;
        v->value = value;
    } else if (init) {
        set_variable(p, t, v, value);
    }
}

/* True when the node sets the variable, or may through its address. */
static bool sets_it(const struct dl__node *n, size_t declared_at)
{
    bool sets = n->kind == DL__N_COMPOUND ||
                (n->kind == DL__N_BINARY && !strcmp(n->op, "=")) ||
                (n->kind == DL__N_UNARY &&
                 (!strcmp(n->op, "++") || !strcmp(n->op, "--") || !strcmp(n->op, "&")));

    if (sets && n->child_count) {
        const struct dl__node *to = n->children[0];

        while (to->child_count && to->kind != DL__N_NAME)
            to = to->children[0];
        return to->kind == DL__N_NAME && to->declared_at == declared_at;
    }
    return false;
}

/* True when the variable is set somewhere in the node. */
static bool is_changed(const struct dl__node *n, size_t declared_at)
{
    if (sets_it(n, declared_at))
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (is_changed(n->children[i], declared_at))
            return true;
    return false;
}

/* True when an expression has this value always: none of the variables in it changes. */
static bool is_lasting(struct prover *p, struct side_text *t, const struct dl__node *body,
                       struct dl__node *n)
{
    if (n->kind == DL__N_NAME && !n->is_constant && n->declared_at != SIZE_MAX) {
        const struct variable *v = find_variable(t, n->declared_at);

        if (v ? v->relation != R_COMMON || is_changed(body, v->at)
              : type_of(t, n)->kind == DL__T_SCALAR)
            return false;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_lasting(p, t, body, n->children[i]))
            return false;
    return true;
}

/* A variable that is set once, to what never changes, is that. */
static void take_value(struct prover *p, struct side_text *t, struct variable *v,
                       struct dl__node *body, struct dl__node *init, struct known value)
{
    if (v->type->kind != DL__T_SCALAR || v->type->scalar == 'b' || v->type->is_volatile ||
        value.kind != K_INTEGER || is_changed(body, v->at) ||
        !is_lasting(p, t, body, init))
        return;
    value = convert_known(p, value, v->type);
    if (value.kind != K_INTEGER)
        return;
    v->lasts.fixed = seal(p, value.integer);
    /* Of what has wrapped, its own number says as much. */
    v->lasts.is_fixed = v->lasts.fixed.exact == v->lasts.fixed.ring &&
                        v->lasts.fixed.ring == v->lasts.fixed.word;
}

/* Of a launch's sizes, and of what steps by them. */
#define STEP_MAX ((wide_int)1 << 40)

/* True for a number, and what a launch gives. */
static bool is_step(struct prover *p, struct side_text *t, struct dl__node *n)
{
    struct known by;

    n = dl__strip(n);
    if (n->child_count && (n->kind != DL__N_CALL || strncmp(n->name, "get_", 4) ||
                           dl__ast_callee(&t->w->ast, n)))
        return false;
    if (n->kind == DL__N_NAME)
        return false;
    by = prove_value(p, t, n);
    return by.kind == K_INTEGER && by.integer.low >= 0 && by.integer.high <= STEP_MAX;
}

/* True when the variable only ever becomes larger, by steps. */
static bool only_climbs(struct prover *p, struct side_text *t, const struct dl__node *n,
                        size_t declared_at)
{
    if (sets_it(n, declared_at) && !(n->kind == DL__N_UNARY && !strcmp(n->op, "++")) &&
        !(n->kind == DL__N_COMPOUND && !strcmp(n->op, "+=") &&
          is_step(p, t, n->children[1])))
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!only_climbs(p, t, n->children[i], declared_at))
            return false;
    return true;
}

/* An index of 64 bits that counts up. */
static void take_bound(struct prover *p, struct side_text *t, struct variable *v,
                       struct dl__node *body, struct known value)
{
    v->lasts.climbs = v->type->kind == DL__T_SCALAR && v->type->scalar == 'u' &&
                      v->type->bytes == 8 && !v->type->is_volatile &&
                      value.kind == K_INTEGER && value.integer.low >= 0 &&
                      value.integer.high <= STEP_MAX && only_climbs(p, t, body, v->at);
}

/* The number that an expression is, whatever the kernel runs on. */
static bool number_in(struct prover *p, struct side_text *t, struct dl__node *n,
                      wide_int *out)
{
    struct known v;
    int64_t number;

    n = dl__strip(n);
    if (n->child_count)
        return false;
    v = prove_value(p, t, n);
    if (v.kind != K_INTEGER || !integer_is_constant(v.integer, &number))
        return false;
    *out = number;
    return true;
}

/* `for (int k = 0; k < 6; k++)`, of numbers, where nothing else changes it: what it is in
 * the loop. The head reaches nothing by it. */
static void take_count(struct prover *p, struct side_text *t, struct variable *v,
                       const struct dl__node *declaration, struct known value)
{
    struct dl__node *loop = declaration->parent ? declaration->parent->parent : NULL;
    const struct dl__node *step, *c;
    int64_t first, changes = 0;
    wide_int last, by = 1;
    bool is_up;

    if (!loop || loop->kind != DL__N_BRANCH || loop->child_count != 4 ||
        loop->condition != loop->children[1] ||
        loop->children[0] != declaration->parent || v->type->kind != DL__T_SCALAR ||
        v->type->bytes < 4 || v->type->is_volatile || value.kind != K_INTEGER ||
        !integer_is_constant(value.integer, &first))
        return;
    c = dl__strip(loop->condition);
    step = loop->children[2];
    if (c->kind != DL__N_BINARY || !sets_it(step, v->at) ||
        dl__strip(c->children[0])->declared_at != v->at ||
        !number_in(p, t, c->children[1], &last) || last < 0 || last > INT32_MAX ||
        first < 0 || first > INT32_MAX)
        return;
    for (size_t i = 0; i < 4; i++)
        changes += i != 2 && is_changed(loop->children[i], v->at);
    is_up = step->op[0] == '+';
    if (changes || (step->kind == DL__N_COMPOUND
                        ? (strcmp(step->op, "+=") && strcmp(step->op, "-=")) ||
                              !number_in(p, t, step->children[1], &by) || by < 1 ||
                              by > INT32_MAX / 2
                        : strcmp(step->op, "++") && strcmp(step->op, "--")))
        return;
    if (c->op[0] != (is_up ? '<' : '>') || (c->op[1] && c->op[1] != '='))
        return;
    last += c->op[1] ? 0 : is_up ? -1 : 1;
    if (!is_up && v->type->scalar == 'u' && last < by)
        return;
    if (is_up && last >= first)
        last = first + (last - first) / by * by;
    v->lasts.is_counted = true;
    v->lasts.low = is_up ? first : last;
    v->lasts.high = is_up ? last : first;
}

static void declare_old(struct prover *p, struct dl__node *c, struct dl__node *b)
{
    struct side_text *t = &p->old_text;
    struct dl__node *init = initialiser(t, c);
    struct dl__node *body =
        dl__ast_body(&t->w->ast, p->pairs.items[p->at_pair]->old_function);
    const struct dl__type *type = type_of(t, c);
    const struct dl__type *became = type_of(&p->new_text, b);
    struct known value = know_opaque(0);
    struct variable *v;

    if (init)
        value = prove_value(p, t, init);
    v = declare_variable(p, t, c->name, c->declared_at, type);
    if (type->kind == DL__T_POINTER && became->kind != DL__T_POINTER) {
        v->relation = R_VALUE;
        v->value = convert_known(p, value, type);
        v->buffer = v->value.kind == K_PLACE ? v->value.buffer : NULL;
        v->is_set = init != NULL;
    } else if (type_number(type) != type_number(became)) {
        lose(p, "'%s' has another type in the rewritten text", c->name);
    } else if (init) {
        set_variable(p, t, v, value);
        take_value(p, t, v, body, init, value);
        take_bound(p, t, v, body, value);
        take_count(p, t, v, c, value);
        v->version = v->lasts.is_fixed ? 0 : v->version;
    }
}

/* Where a declaration could not be compared its variables must be there all the same. */
static void declare_missing(struct prover *p, struct dl__node *a, struct dl__node *b)
{
    struct side_text *sides[] = {&p->old_text, &p->new_text};
    struct dl__node *nodes[] = {a, b};

    for (int s = 0; s < 2; s++)
        for (size_t i = 0; i < nodes[s]->child_count; i++) {
            struct dl__node *c = nodes[s]->children[i];

            if (c->kind == DL__N_VARIABLE && !find_variable(sides[s], c->declared_at))
                declare_variable(p, sides[s], c->name, c->declared_at,
                                 type_of(sides[s], c));
        }
}

/* The row of a pointer whose row is declared here, too; NULL: it has none. */
static struct variable *row_declared(struct prover *p, struct dl__node *b,
                                     const char *name)
{
    return variable_named(b, "dl_row_", name) ? known_named(&p->new_text, "dl_row_", name)
                                              : NULL;
}

static void compare_declarations(struct prover *p, struct dl__node *a, struct dl__node *b)
{
    for (size_t i = 0; i < a->child_count; i++) {
        struct dl__node *c = a->children[i], *twin;

        if (c->kind != DL__N_VARIABLE)
            continue;
        twin = variable_named(b, "", c->name);
        if (!twin)
            lose(p, "'%s' is missing in the rewritten text", c->name);
        declare_old(p, c, twin);
    }
    for (size_t i = 0; i < b->child_count; i++) {
        struct dl__node *c = b->children[i], *twin;
        struct variable *v;

        if (c->kind != DL__N_VARIABLE)
            continue;
        twin = variable_named(a, "", c->name);
        v = twin ? find_variable(&p->old_text, twin->declared_at) : NULL;
        declare_new(p, c, v && v->relation == R_COMMON);
    }
    for (size_t i = 0; i < a->child_count; i++) {
        struct dl__node *c = a->children[i];
        struct variable *v = c->kind == DL__N_VARIABLE
                                 ? find_variable(&p->old_text, c->declared_at)
                                 : NULL;
        struct variable *index = v ? known_named(&p->new_text, "", c->name) : NULL;

        if (index && v->relation == R_VALUE)
            relate(v, index, row_declared(p, b, c->name), v->is_set);
    }
}

/* A parameter that points into other buffers later. */
static bool become_far(struct prover *p, struct variable *v, struct dl__node *b)
{
    if (!variable_named(b, "dl_far_", v->name) || v->relation == R_COMMON ||
        v->relation == R_FAR)
        return false;
    if (v->index)
        v->index->is_kept = true;
    v->is_kept = false;
    relate(v, known_named(&p->new_text, "dl_far_", v->name), NULL, true);
    return true;
}

/* A declaration that only the rewritten text has. */
static void compare_addition(struct prover *p, struct dl__node *b)
{
    for (size_t i = 0; i < b->child_count; i++)
        if (b->children[i]->kind == DL__N_VARIABLE)
            declare_new(p, b->children[i], false);
    for (size_t i = 0; i < p->old_text.variables.count; i++) {
        struct variable *v = p->old_text.variables.items[i];

        if (become_far(p, v, b) || !variable_named(b, "dl_at_", v->name) || v->index ||
            v->relation != R_VALUE)
            continue;
        v->is_kept = false;
        relate(v, known_named(&p->new_text, "dl_at_", v->name),
               row_declared(p, b, v->name), true);
    }
}

/* Compares an expression or a declaration of both texts, and judges its accesses. */
static void compare_nodes(struct prover *p, struct dl__node *a, struct dl__node *b,
                          enum wanted use)
{
    begin_expression(p);
    if (setjmp(p->lost)) {
        judge_expression(p, a, p->lost_reason);
        if (use == U_DECLARED)
            declare_missing(p, a, b);
        forget_all(p);
        return;
    }
    if (use == U_DECLARED)
        compare_declarations(p, a, b);
    else if (use == U_ADDED)
        compare_addition(p, b);
    else
        compare_values(p, a, b, use);
    end_expression(p);
    judge_expression(p, a, NULL);
}

/* ---- parameters ---- */

static struct variable *new_value(struct prover *p, const struct dl__parameter *q)
{
    struct variable *v = declare_variable(p, &p->new_text, q->name, q->name_at, q->type);

    v->relation = R_VALUE;
    v->is_kept = true;
    return v;
}

/* The new function's parameters, which stand for the old one's pointers or are the same.
 */
static void declare_parameter(struct prover *p, const struct pair *pair,
                              const struct dl__parameter *q)
{
    const struct dl__function *f = pair->old_function;

    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct proved_buffer *b = pair->parameters[i].buffer;
        static const char *const prefixes[] = {"dl_head_", "dl_tail_", "dl_w_"};
        const char *name = f->parameters[i].name;

        if (!strcmp(q->name, name)) {
            struct variable *v = new_value(p, q);

            v->value = know_place(b, integer_zero(), integer_zero());
            if (!b) {
                v->relation = R_COMMON;
                v->is_kept = false;
                if (type_number(q->type) != type_number(f->parameters[i].type))
                    lose(p, "'%s' has another type in the rewritten text", name);
            }
            return;
        }
        for (int k = 0; k < 3 && b; k++) {
            struct integer is = k == 0 ? b->head : k == 1 ? b->tail : b->width;

            if (!is_made_of(q->name, prefixes[k], name))
                continue;
            is.bits = p->index_bits;
            is.is_signed = false;
            new_value(p, q)->value = know_integer(is);
            return;
        }
        if (b && (is_made_of(q->name, "dl_at_", name) ||
                  is_made_of(q->name, "dl_row_", name))) {
            new_value(p, q);
            return;
        }
    }
    lose(p, "'%s' has another parameter in the rewritten text", q->name);
}

static void declare_parameters(struct prover *p, const struct pair *pair)
{
    const struct dl__function *f = pair->old_function, *g = pair->new_function;

    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *q = &f->parameters[i];
        const struct pair_parameter *known = &pair->parameters[i];
        struct variable *v =
            declare_variable(p, &p->old_text, q->name, q->name_at, q->type);

        v->lasts.is_changed =
            is_changed(dl__ast_body(&p->old_text.w->ast, pair->old_function), q->name_at);
        v->lasts.is_fixed = known->fixed.bits && !v->lasts.is_changed;
        v->lasts.fixed = known->fixed;
        if (!known->buffer)
            continue;
        v->relation = R_VALUE;
        v->buffer = known->buffer;
        v->allowed = known->allowed;
        if (v->lasts.is_changed &&
            type_number(q->type->element) != type_number(v->buffer->element)) {
            v->allowed = (struct offsets){0};
            offsets_of_type(p, v->buffer->element, 0, q->type->element, &v->allowed);
        }
        v->is_kept = true;
        v->value = know_place(v->buffer, integer_zero(), integer_zero());
        v->value.offsets = v->allowed;
    }
    for (size_t i = 0; i < g->parameter_count; i++)
        declare_parameter(p, pair, &g->parameters[i]);
    for (size_t i = 0; i < f->parameter_count; i++) {
        struct variable *v = p->old_text.variables.items[i];
        struct variable *index = known_named(&p->new_text, "dl_at_", v->name);

        if (!pair->parameters[i].buffer || !index)
            continue;
        relate(v, index, known_named(&p->new_text, "dl_row_", v->name), true);
        v->is_kept = false;
        if (v->row)
            v->split = split_join(p, v->at, pair->parameters[i].split);
        relation_forget(p, v);
    }
}

/* Two functions side by side: statement by statement, each expression on its own.
 * Between them nothing is known but that variables of one name hold the same, and
 * pointers what became of them. */

static void compare_statements(struct prover *p, struct dl__node *a, struct dl__node *b);

/* ---- statements ---- */

static bool begins_with(const struct side_text *t, const struct dl__node *n,
                        const char *word)
{
    return !strncmp(t->w->ast.text + n->begin, word, strlen(word));
}

static void differ(struct prover *p, const struct dl__node *a, const char *reason)
{
    p->out->fault = p->out->fault ? p->out->fault : reason;
    p->out->fault_at = a->begin;
    judge(p, a, reason);
}

static bool is_statement(const struct dl__node *n)
{
    return n->kind == DL__N_STATEMENT || n->kind == DL__N_BRANCH ||
           n->kind == DL__N_DECL_STATEMENT || n->kind == DL__N_RETURN;
}

/* A declaration of what the program does not know. */
static bool is_addition(const struct prover *p, const struct dl__node *b,
                        struct dl__node *a)
{
    bool any = false;

    if (b->kind != DL__N_DECL_STATEMENT)
        return false;
    for (size_t i = 0; i < b->child_count; i++) {
        const struct dl__node *c = b->children[i];

        if (c->kind != DL__N_VARIABLE || !is_generated(p, c->name, strlen(c->name)) ||
            (a && a->kind == DL__N_DECL_STATEMENT && variable_named(a, "", c->name)))
            return false;
        any = true;
    }
    return any;
}

static void compare_block(struct prover *p, struct dl__node *a, struct dl__node *b)
{
    size_t old_count = p->old_text.variables.count;
    size_t new_count = p->new_text.variables.count, j = 0;

    for (size_t i = 0; i < a->child_count || j < b->child_count;) {
        struct dl__node *x = i < a->child_count ? a->children[i] : NULL;
        struct dl__node *y = j < b->child_count ? b->children[j] : NULL;

        if (y && is_addition(p, y, x)) {
            compare_nodes(p, x ? x : a, y, U_ADDED);
            j++;
            continue;
        }
        if (!x || !y) {
            differ(p, x ? x : a, "the rewritten text has other statements");
            break;
        }
        p->has_begun = true;
        compare_statements(p, x, y);
        i++;
        j++;
    }
    p->old_text.variables.count = old_count;
    p->new_text.variables.count = new_count;
}

static void compare_branches(struct prover *p, struct dl__node *a, struct dl__node *b)
{
    size_t old_count = p->old_text.variables.count;
    size_t new_count = p->new_text.variables.count;

    for (size_t i = 0; i < a->child_count; i++) {
        struct dl__node *x = a->children[i], *y = b->children[i];

        if ((x == a->condition) != (y == b->condition))
            differ(p, x, "the rewritten text has another condition");
        else if (x == a->condition)
            compare_nodes(p, x, y, U_CONDITION);
        else
            compare_statements(p, x, y);
    }
    p->old_text.variables.count = old_count;
    p->new_text.variables.count = new_count;
}

static void compare_statements(struct prover *p, struct dl__node *a, struct dl__node *b)
{
    if (a->kind != b->kind && (is_statement(a) || is_statement(b))) {
        differ(p, a, "the rewritten text has another statement");
        return;
    }
    if (!is_statement(a)) {
        compare_nodes(p, a, b, U_NONE);
        return;
    }
    if (a->kind == DL__N_DECL_STATEMENT) {
        compare_nodes(p, a, b, U_DECLARED);
        return;
    }
    if (a->kind == DL__N_STATEMENT && begins_with(&p->old_text, a, "{") &&
        begins_with(&p->new_text, b, "{")) {
        compare_block(p, a, b);
        return;
    }
    if (a->child_count != b->child_count ||
        own_tokens(&p->old_text, a) != own_tokens(&p->new_text, b)) {
        differ(p, a, "the rewritten text has another statement");
        return;
    }
    if (a->kind == DL__N_RETURN) {
        if (a->child_count)
            compare_nodes(p, a->children[0], b->children[0],
                          p->pairs.items[p->at_pair]->result ? U_RETURNED : U_VALUE);
        return;
    }
    if (a->kind == DL__N_STATEMENT && a->child_count &&
        begins_with(&p->old_text, a, "case")) {
        compare_nodes(p, a->children[0], b->children[0], U_VALUE);
        for (size_t i = 1; i < a->child_count; i++)
            compare_statements(p, a->children[i], b->children[i]);
        return;
    }
    compare_branches(p, a, b);
}

/* ---- functions ---- */

static void compare_pair_once(struct prover *p, struct pair *pair)
{
    struct dl__node *a = dl__ast_body(&p->old_text.w->ast, pair->old_function);
    struct dl__node *b = dl__ast_body(&p->new_text.w->ast, pair->new_function);

    p->old_text.variables.count = p->new_text.variables.count = 0;
    p->has_begun = false;
    begin_expression(p);
    if (setjmp(p->lost)) {
        differ(p, a, p->lost_reason);
        return;
    }
    if (!pair->result && type_number(pair->old_function->result) !=
                             type_number(pair->new_function->result))
        lose(p, "it gives another type");
    declare_parameters(p, pair);
    compare_block(p, a, b);
}

static void compare_pair(struct prover *p, struct pair *pair)
{
    struct outcome *out = p->out, before = *out;
    size_t pairs = p->pairs.count,
           bytes = before.verdicts.count * sizeof *before.verdicts.items;
    void *verdicts = copied(p, before.verdicts.items, bytes);

    for (;;) {
        p->is_stale = false;
        compare_pair_once(p, pair);
        if (!p->is_stale)
            return;
        p->pairs.count = pairs;
        out->verdicts.count = before.verdicts.count;
        if (bytes)
            memcpy(out->verdicts.items, verdicts, bytes);
        out->fault = before.fault;
    }
}

/* ---- the proof of a rewritten text ---- */

struct item {
    modular number;
    size_t at;
    bool is_generated; /* it has a name that programs have not */
};

struct items {
    struct item *items;
    size_t count, room;
};

static const struct dl__function *kernel_at(const struct dl__ast *ast,
                                            const struct dl_notes *notes, size_t at)
{
    for (size_t i = 0; i < ast->functions.count; i++) {
        const struct dl__function *f = &ast->functions.items[i];
        const struct dl_kernel_note *k;

        if (f->item_at != at || !f->is_defined || !f->is_kernel)
            continue;
        k = dl_notes_find(notes, f->name);
        if (k && k->buffer_count && !k->refused && k->buffers[0].native == DL_LAYOUT_AOS)
            return f;
    }
    return NULL;
}

/* The declarations of a text, cut behind each `;` and `}` outside of braces. */
static void split(struct prover *p, const struct dl__ast *ast,
                  const struct dl_notes *notes, struct items *out)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = ast->bytes};
    struct item item = {0};
    bool at_start = true, in_line = false;
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind == DL__NEWLINE) {
            if (in_line) /* of a directive */
                DL__PUSH(p->arena, out, item);
            at_start |= in_line;
            in_line = false;
            continue;
        }
        if (at_start) {
            const struct dl__function *kernel = kernel_at(ast, notes, t.offset);

            item = (struct item){.number = 1, .at = t.offset};
            at_start = false;
            in_line = dl__token_is(&t, "#");
            if (kernel) {
                item.number = draw_text("kernel", kernel->name, strlen(kernel->name));
                DL__PUSH(p->arena, out, item);
                lexer.offset = kernel->body_end;
                at_start = true;
                continue;
            }
        }
        item.number = draw("item", item.number, draw_text("", t.text, t.bytes), 0);
        item.is_generated |= t.kind == DL__NAME && is_generated(p, t.text, t.bytes);
        depth += dl__token_is(&t, "{") || dl__token_is(&t, "(");
        depth -= depth && (dl__token_is(&t, "}") || dl__token_is(&t, ")"));
        if (!depth && !in_line && (dl__token_is(&t, ";") || dl__token_is(&t, "}"))) {
            DL__PUSH(p->arena, out, item);
            at_start = true;
        }
    }
}

/* A static clause where the rewritten text differs outside of the kernels of `notes`,
 * with the place in the program's; or NULL. */
static const char *items_fault(struct prover *p, const struct dl_notes *notes, size_t *at)
{
    struct items old_items = {0}, new_items = {0};
    size_t i = 0;

    split(p, &p->old_text.w->ast, notes, &old_items);
    split(p, &p->new_text.w->ast, notes, &new_items);
    for (size_t j = 0; j < new_items.count; j++) {
        const struct item *item = &new_items.items[j];

        *at = i < old_items.count ? old_items.items[i].at : 0;
        if (i < old_items.count && old_items.items[i].number == item->number)
            i++;
        else if (!item->is_generated)
            return "the rewritten text differs here";
    }
    return i < old_items.count ? "the rewritten text lacks this" : NULL;
}

/* The buffers of a kernel as the tables have them, which is how they are converted. */

/* The width of rows, from the tables' dimension. */
static bool read_width(struct prover *p, const struct dl__function *f,
                       struct proved_buffer *b)
{
    struct integer stack[16];
    struct dl__dimension_step step;
    size_t depth = 0;

    for (size_t i = 0; dl__dimension_step(b->note->width, i, &step); i++) {
        const struct dl__parameter *q =
            step.index < f->parameter_count ? &f->parameters[step.index] : NULL;

        if (step.operands == 2 && !step.name[1] && strchr("+-*", *step.name)) {
            depth--;
            stack[depth - 1] =
                integer_combine(*step.name, stack[depth - 1], stack[depth]);
        } else if (depth == sizeof stack / sizeof *stack) {
            return false;
        } else if (!*step.name) {
            stack[depth++] = integer_constant(step.value, 64, true);
        } else if (!strcmp(step.name, "arg") && q && !step.offset_bytes &&
                   is_integer(q->type)) {
            struct known v =
                know_typed(variable_number("variable", q->name, q->name_at), q->type);

            stack[depth++] = integer_convert(v.integer, 64, true, p->index_bits);
        } else {
            return false;
        }
    }
    b->width = stack[0];
    /* Others are not tiled. */
    b->width.low = 1;
    b->width.high = DL_FLAT_WIDTH_MAX;
    return true;
}

/* ---- buffers ---- */

static const char *make_buffer(struct prover *p, const struct dl__function *f,
                               struct proved_buffer *b)
{
    const struct dl__parameter *q;

    if (b->note->arg_index >= f->parameter_count)
        return "the tables name an argument that the kernel has not";
    if (b->note->arrays)
        return "accesses to discrete arrays are not followed yet";
    q = &f->parameters[b->note->arg_index];
    if (strcmp(q->name, b->note->name) || q->type->kind != DL__T_POINTER)
        return "the tables name another argument";
    b->element = q->type->element;
    b->unit_bytes = b->element->bytes;
    number_buffer(p, b, draw_text("buffer", q->name, strlen(q->name)));
    b->is_flat = b->note->width || b->unit_bytes != b->note->leaves.struct_bytes ||
                 b->element->kind != DL__T_STRUCT;
    if (!b->unit_bytes || b->note->leaves.struct_bytes % b->unit_bytes)
        return "the tables name rows of another size";
    for (size_t i = 0; b->is_flat && i < b->note->leaves.leaf_count; i++)
        if (b->note->leaves.leaves[i].width_bytes != b->unit_bytes)
            return "the tables name elements of another size";
    if (!b->is_flat || !b->note->width)
        b->width =
            integer_constant(b->note->leaves.struct_bytes / b->unit_bytes, 64, true);
    else if (!read_width(p, f, b))
        return "the width of its rows is not understood";
    b->row = integer_combine('*', b->width, integer_constant(b->unit_bytes, 64, true));
    return NULL;
}

/* The arguments that tiles need come behind the kernel's own, in the tables' order. */
static bool has_hidden(const struct dl__function *f, const struct dl__function *g,
                       const struct dl_kernel_note *k, bool is_tiled)
{
    size_t at = f->parameter_count;

    for (size_t i = 0; i < k->buffer_count && is_tiled; i++) {
        if (k->buffers[i].native != DL_LAYOUT_AOS)
            continue;
        if (at + 2 > g->parameter_count ||
            !is_made_of(g->parameters[at].name, "dl_head_", k->buffers[i].name) ||
            !is_made_of(g->parameters[at + 1].name, "dl_tail_", k->buffers[i].name))
            return false;
        at += 2;
    }
    return at == g->parameter_count;
}

static bool has_own(const struct dl__function *f, const struct dl__function *g)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (i >= g->parameter_count ||
            strcmp(f->parameters[i].name, g->parameters[i].name))
            return false;
    return true;
}

static modular tokens(const struct dl__ast *ast, size_t begin, size_t end)
{
    struct dl__lexer lexer = {.text = ast->text, .bytes = end, .offset = begin};
    struct dl__token t;
    modular out = 1;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind != DL__NEWLINE)
            out = draw("then", out, draw_text("", t.text, t.bytes), 0);
    return out;
}

static bool has_same_head(const struct prover *p, const struct dl__function *f,
                          const struct dl__function *g)
{
    const struct dl__ast *a = &p->old_text.w->ast, *b = &p->new_text.w->ast;

    return tokens(a, f->item_at, f->open_at) == tokens(b, g->item_at, g->open_at) &&
           tokens(a, f->close_at, f->body_at) == tokens(b, g->close_at, g->body_at);
}

/* The buffers of a kernel, by its parameters. NULL: *reason says why not. */
static struct pair *kernel_pair(struct prover *p, const struct dl_kernel_note *k,
                                const char **reason)
{
    struct dl__function *f = dl__ast_kernel_named(&p->old_text.w->ast, k->name);
    struct dl__function *g = dl__ast_kernel_named(&p->new_text.w->ast, k->name);
    struct pair *pair = DL__NEW(p->arena, struct pair);
    struct offsets begin = {0};

    *reason = !f || !g ? "one of the texts lacks the kernel"
              : k->arg_count != f->parameter_count || !has_own(f, g)
                  ? "the kernel has other parameters"
              : !has_same_head(p, f, g)           ? "the kernel has other attributes"
              : !has_hidden(f, g, k, p->is_tiled) ? "the kernel lacks what tiles need"
                                                  : NULL;
    if (*reason)
        return NULL;
    DL__PUSH(p->arena, &begin, 0);
    pair->old_function = f;
    pair->new_function = g;
    pair->parameters =
        dl__arena_alloc(p->arena, (f->parameter_count + 1) * sizeof *pair->parameters);
    for (size_t i = 0; i < k->buffer_count; i++) {
        struct proved_buffer *b = DL__NEW(p->arena, struct proved_buffer);

        if (k->buffers[i].native != DL_LAYOUT_AOS)
            continue;
        b->note = &k->buffers[i];
        b->is_tiled = p->is_tiled;
        *reason = make_buffer(p, f, b);
        if (*reason)
            return NULL;
        pair->parameters[b->note->arg_index].buffer = b;
        pair->parameters[b->note->arg_index].allowed = begin;
        DL__PUSH(p->arena, &p->buffers, b);
    }
    return pair;
}

struct proof {
    const char *text, *rewritten;
    size_t bytes, rewritten_bytes;
    const struct dl_annotate_options *options;
    dl_remark_fn remark;
    dl_proof_fn proved;
    void *user;
    enum dl_status status;
    struct dl__rewriter *old_text, *new_text;
    struct dl_notes *notes;
    struct outcome *kernels; /* by the tables' order */
};

static const struct mode {
    const char *knobs;
    unsigned index_bits;
    bool is_tiled;
} modes[] = {{"-DDL_TILING=dl_tiles -DDL_TILE=32", 32, true},
             {"-DDL_TILING=dl_tiles -DDL_TILE=24 -DDL_INDEX_64", 64, true},
             {"", 64, false}};

static bool is_proved(const struct dl_kernel_note *k)
{
    bool any = false;

    for (size_t i = 0; i < k->buffer_count; i++)
        any |= k->buffers[i].native == DL_LAYOUT_AOS;
    return any && !k->refused;
}

static struct prover *prover_of(struct proof *q, const struct mode *mode,
                                struct outcome *out)
{
    struct prover *p = DL__NEW(&q->old_text->arena, struct prover);

    p->arena = &q->old_text->arena;
    p->old_text.w = q->old_text;
    p->new_text.w = q->new_text;
    p->new_text.is_new = true;
    p->index_bits = mode->index_bits;
    p->is_tiled = mode->is_tiled;
    p->out = out;
    return p;
}

static void prove_kernel(struct proof *q, size_t kernel, const struct mode *mode)
{
    const struct dl_kernel_note *k = &q->notes->kernels[kernel];
    struct outcome *out = &q->kernels[kernel];
    struct prover *p = prover_of(q, mode, out);
    struct pair *pair;

    if (!is_proved(k) || out->fault)
        return;
    pair = kernel_pair(p, k, &out->fault);
    if (!pair)
        return;
    DL__PUSH(p->arena, &p->pairs, pair);
    for (p->at_pair = 0; p->at_pair < p->pairs.count; p->at_pair++)
        compare_pair(p, p->pairs.items[p->at_pair]);
}

/* A fault outside of the kernels concerns all of them. */
static void fault_all(struct proof *q, const char *fault, size_t at)
{
    for (size_t i = 0; i < q->notes->kernel_count; i++)
        if (!q->kernels[i].fault) {
            q->kernels[i].fault_at = at;
            q->kernels[i].fault = fault;
        }
}

static void prove_mode(struct proof *q, const struct mode *mode)
{
    struct dl_annotate_options options = *q->options;
    volatile enum dl_status st = DL_OK;

    options.side = NULL;
    options.on_file = NULL;
    options.times = NULL;
    options.detect = false;
    q->new_text =
        dl__rewriter_open(q->rewritten, q->rewritten_bytes, &options, NULL, NULL);
    if (!q->new_text)
        dl__arena_fail(&q->old_text->arena, DL_ENOMEM);
    q->new_text->clang = q->old_text->clang;
    /* The device has been asked: no build of a question more. */
    q->new_text->answers = q->old_text->answers;
    q->new_text->answers.room = q->new_text->answers.count;
    /* Its own arena counts the time that reading the text takes. */
    dl__arena_pause(&q->old_text->arena);
    if (setjmp(q->new_text->arena.fail)) {
        dl__arena_resume(&q->old_text->arena);
        st = q->new_text->arena.failure;
        fault_all(q, "the rewritten text does not parse", 0);
    } else {
        const char *fault;
        size_t at = 0;

        dl__program_read(q->new_text, mode->knobs);
        dl__arena_resume(&q->old_text->arena);
        fault = items_fault(prover_of(q, mode, NULL), q->notes, &at);
        if (fault)
            fault_all(q, fault, at);
        for (size_t i = 0; i < q->notes->kernel_count; i++)
            prove_kernel(q, i, mode);
    }
    dl__rewriter_close(q->new_text);
    q->new_text = NULL;
    if (st != DL_OK && st != DL_EPARSE)
        dl__arena_fail(&q->old_text->arena, st);
}

static void say(struct proof *q, const char *kernel, size_t at, const char *reason)
{
    dl__say_at(q->old_text, DL_WARNING, at, "kernel '%s': not shown: %s", kernel, reason);
}

static void report(struct proof *q, size_t kernel)
{
    const struct dl_kernel_note *k = &q->notes->kernels[kernel];
    const struct outcome *out = &q->kernels[kernel];
    size_t shown = 0;

    for (size_t i = 0; i < out->verdicts.count; i++) {
        shown += !out->verdicts.items[i].reason;
        if (out->verdicts.items[i].reason && !out->fault)
            say(q, k->name, out->verdicts.items[i].at, out->verdicts.items[i].reason);
    }
    if (out->fault)
        say(q, k->name, out->fault_at, out->fault);
    shown = out->fault ? 0 : shown;
    if (out->fault || shown < out->verdicts.count)
        q->status = DL_EREFUSED;
    q->proved(q->user, k->name, out->verdicts.count, shown);
}

static void prove_all(struct proof *q)
{
    const char *behind;

    q->kernels = dl__arena_alloc(&q->old_text->arena,
                                 (q->notes->kernel_count + 1) * sizeof *q->kernels);
    dl__program_read(q->old_text, "");
    if (!dl__prelude_find(q->rewritten, &behind))
        fault_all(q, "the rewritten text has another formula", 0);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++)
        prove_mode(q, &modes[m]);
    for (size_t i = 0; i < q->notes->kernel_count; i++)
        if (is_proved(&q->notes->kernels[i]))
            report(q, i);
}

static void prove_here(void *user)
{
    struct proof *q = user;
    const char *reason = "";

    q->status =
        dl_annotate_scan(q->rewritten, q->rewritten_bytes, q->remark, q->user, &q->notes);
    if (q->status != DL_OK)
        return;
    q->old_text = dl__rewriter_open(q->text, q->bytes, q->options, q->remark, q->user);
    if (!q->old_text) {
        q->status = DL_ENOMEM;
        goto out;
    }
    q->status = dl__clang_load(q->options->libclang, &q->old_text->clang, &reason);
    if (q->status != DL_OK) {
        dl__say(q->old_text, DL_WARNING, NULL, 0, 0, "%s", reason);
    } else if (setjmp(q->old_text->arena.fail)) {
        q->status = q->old_text->arena.failure;
        if (q->new_text)
            dl__rewriter_close(q->new_text);
    } else {
        prove_all(q);
    }
    dl__rewriter_close(q->old_text);
out:
    dl_notes_free(q->notes);
}

enum dl_status dl_annotate_prove(const char *text, size_t text_bytes,
                                 const char *rewritten, size_t rewritten_bytes,
                                 const struct dl_annotate_options *options,
                                 dl_remark_fn remark, dl_proof_fn proved, void *user)
{
    static const struct dl_annotate_options none;
    struct proof q = {.text = text,
                      .rewritten = rewritten,
                      .bytes = text_bytes,
                      .rewritten_bytes = rewritten_bytes,
                      .options = options ? options : &none,
                      .remark = remark,
                      .proved = proved,
                      .user = user,
                      .status = DL_ENOMEM};

    dl__on_large_stack(prove_here, &q);
    return q.status;
}
