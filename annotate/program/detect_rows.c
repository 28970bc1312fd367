/* SPDX-License-Identifier: MIT */
/* Flat buffers of rows, found by their indices: each is a row times a width, plus a place in the row. And
 * discrete arrays: each is a number of lengths, plus a place in the array. */
#include <stdlib.h>
#include <string.h>

#include "annotate/program/detect.h"
#include "annotate/track/locals.h"
#include "annotate/track/node.h"

enum {
    TERMS_MAX = 32,
    FACTORS_MAX = 8,
    POINTERS_MAX = 32,
    DEPTH_MAX = 8,
    PRODUCTS_FIRST = 56, /* numbers from here on are products of arguments */
    NO_NUMBER = 64
};

/* A term of an index: a constant times these. */
struct term {
    int64_t constant;
    struct dl__node *factors[FACTORS_MAX];
    size_t factor_count;
    bool negative;
    bool is_walk; /* made of nothing but what loops count: a place in the row */
};

struct looking {
    struct dl__unit *unit; /* for questions about nodes */
    unsigned depth;        /* of helpers */
    /* Where the argument is declared, and pointers that are set from it. */
    size_t pointers[POINTERS_MAX];
    size_t pointer_count;
    int64_t width;       /* so far: the divisor of all; 0: none yet */
    uint64_t parameters; /* by bits: arguments that may be the width */
    /* The same: those that can't be a length, those that are one times a constant or a count, and those
     * times another one than 1. Of the kernel, as which `own` has those of a helper. */
    uint64_t no_lengths, lengths, sure_lengths;
    uint8_t own[64];                                  /* NO_NUMBER: none */
    const char *products[NO_NUMBER - PRODUCTS_FIRST]; /* of arguments */
    size_t product_count;
    bool failed;
};

/* ---- terms ---- */

static bool has_call(const struct dl__node *n)
{
    bool has = n->kind == DL__N_CALL;

    for (size_t i = 0; i < n->child_count && !has; i++)
        has = has_call(n->children[i]);
    return has;
}

/* True when everything that the expression names is counted by a loop. */
static bool is_counted(struct dl__unit *u, const struct dl__node *n)
{
    struct dl__node *declaration;
    bool counted =
        n->kind != DL__N_CALL && n->kind != DL__N_SUBSCRIPT && n->kind != DL__N_MEMBER;

    if (n->kind == DL__N_NAME && !n->is_constant)
        counted = dl__is_changed(u, n->declared_at, &declaration) && declaration &&
                  !has_call(declaration);
    for (size_t i = 0; i < n->child_count && counted; i++)
        counted = is_counted(u, n->children[i]);
    return counted;
}

/* Multiplies a term with an expression. False: there are too many factors. */
static bool multiply(struct dl__unit *u, struct dl__node *n, struct term *term)
{
    int64_t constant;

    n = dl__strip_casts(n);
    if (dl__constant_of(u, n, &constant))
        return !__builtin_mul_overflow(term->constant, constant, &term->constant);
    if (n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "*"))
        return multiply(u, n->children[0], term) && multiply(u, n->children[1], term);
    if (term->factor_count == FACTORS_MAX)
        return false;
    term->factors[term->factor_count++] = n;
    return true;
}

/* The terms of a sum. False: there are too many, or one is not understood. */
static bool add_terms(struct dl__unit *u, struct dl__node *n, bool negative,
                      struct term *terms, size_t *count)
{
    struct term *term = &terms[*count];

    n = dl__strip_casts(n);
    if (n->kind == DL__N_BINARY && n->child_count == 2 &&
        (dl__op_is(n, "+") || dl__op_is(n, "-")))
        return add_terms(u, n->children[0], negative, terms, count) &&
               add_terms(u, n->children[1], negative != dl__op_is(n, "-"), terms, count);
    if (*count == TERMS_MAX)
        return false;
    *term = (struct term){.constant = 1, .negative = negative};
    if (!multiply(u, n, term))
        return false;
    term->is_walk = true;
    for (size_t f = 0; f < term->factor_count; f++)
        term->is_walk &= is_counted(u, term->factors[f]);
    ++*count;
    return true;
}

/* ---- accesses ---- */

static int64_t divisor(int64_t a, int64_t b)
{
    a = a < 0 ? -a : a;
    b = b < 0 ? -b : b;
    while (b) {
        int64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The argument that a factor is; NO_NUMBER: none. */
static size_t parameter_of(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);
    size_t number;

    return n->kind == DL__N_NAME && !n->is_constant &&
                   dl__is_fixed_parameter(u, n, &number) && number < 64 &&
                   type->kind == DL__T_SCALAR && type->scalar != 'f' &&
                   type->scalar != 'b'
               ? number
               : NO_NUMBER;
}

/* Arguments that a term is a multiple of, by bits. */
static uint64_t parameters_in(struct dl__unit *u, const struct term *term)
{
    uint64_t bits = 0;

    for (size_t f = 0; f < term->factor_count; f++) {
        size_t number = parameter_of(u, term->factors[f]);

        bits |= number < NO_NUMBER ? UINT64_C(1) << number : 0;
    }
    return bits;
}

/* The number of a product, by its text; NO_NUMBER: there are too many. */
static size_t product_number(struct looking *l, const char *product)
{
    size_t i = 0;

    while (i < l->product_count && strcmp(l->products[i], product) != 0)
        i++;
    if (i == NO_NUMBER - PRODUCTS_FIRST)
        return NO_NUMBER;
    if (i == l->product_count)
        l->products[l->product_count++] = product;
    return PRODUCTS_FIRST + i;
}

/* The number of the product of those factors that are arguments, by the arguments' order: "nx * ny".
 * NO_NUMBER: there are none, or with `is_all` others. */
static size_t product_of(struct looking *l, const struct term *term, bool is_all,
                         size_t *arguments)
{
    struct dl__buf text = {.arena = l->unit->tracker->arena};
    const struct dl__function *f = l->unit->function;

    *arguments = 0;
    for (size_t i = 0; i < f->parameter_count && i < 64; i++)
        for (size_t k = 0; k < term->factor_count; k++) {
            if (parameter_of(l->unit, term->factors[k]) != i)
                continue;
            dl__buf_printf(&text, "%s%s", *arguments ? " * " : "", f->parameters[i].name);
            ++*arguments;
        }
    return *arguments && (!is_all || *arguments == term->factor_count)
               ? product_number(l, text.items)
               : NO_NUMBER;
}

/* The number of what may be a length: an argument, or a name of the kernel's for a product of such. */
static size_t length_number(struct looking *l, struct dl__node *n)
{
    size_t number = parameter_of(l->unit, n), arguments;
    struct term term = {.constant = 1};
    struct dl__node *declaration;

    if (number < PRODUCTS_FIRST)
        return l->own[number];
    if (l->depth || n->kind != DL__N_NAME || n->is_constant || number != NO_NUMBER ||
        dl__is_changed(l->unit, n->declared_at, &declaration) || !declaration ||
        !declaration->child_count)
        return NO_NUMBER;
    return multiply(l->unit, declaration->children[declaration->child_count - 1],
                    &term) &&
                   term.constant == 1
               ? product_of(l, &term, true, &arguments)
               : NO_NUMBER;
}

/* `k * (nx * ny)`, in the index itself: what it says of the product as a length. */
static void look_for_product(struct looking *l, const struct term *term)
{
    bool counted = !term->negative && term->constant >= 0;
    size_t arguments, number;
    uint64_t bit;

    if (l->depth)
        return;
    number = product_of(l, term, false, &arguments);
    if (number == NO_NUMBER || arguments < 2)
        return;
    bit = UINT64_C(1) << number;
    for (size_t f = 0; f < term->factor_count; f++)
        counted &= parameter_of(l->unit, term->factors[f]) != NO_NUMBER ||
                   is_counted(l->unit, term->factors[f]);
    *(counted ? &l->lengths : &l->no_lengths) |= bit;
    l->sure_lengths |=
        counted && (term->factor_count > arguments || term->constant != 1) ? bit : 0;
}

/* What the term says of each of its factors as a length. */
static void look_for_lengths(struct looking *l, const struct term *term)
{
    for (size_t f = 0; f < term->factor_count; f++) {
        size_t number = length_number(l, term->factors[f]);
        bool counted = !term->negative && term->constant >= 0, alone = true;
        uint64_t bit;

        if (number == NO_NUMBER)
            continue;
        bit = UINT64_C(1) << number;
        for (size_t other = 0; other < term->factor_count; other++) {
            counted &= other == f || is_counted(l->unit, term->factors[other]);
            alone &= other == f;
        }
        *(counted ? &l->lengths : &l->no_lengths) |= bit;
        l->sure_lengths |= counted && !(alone && term->constant == 1) ? bit : 0;
    }
}

/* One access: what can be its width is left. */
static void look_at_index(struct looking *l, struct dl__node *index)
{
    struct term terms[TERMS_MAX];
    size_t count = 0;

    if (!add_terms(l->unit, index, false, terms, &count)) {
        l->failed = true;
        return;
    }
    for (size_t t = 0; t < count; t++) {
        look_for_lengths(l, &terms[t]);
        look_for_product(l, &terms[t]);
        if (terms[t].is_walk)
            continue;
        l->width = divisor(l->width, terms[t].constant);
        l->parameters &= l->depth ? 0 : parameters_in(l->unit, &terms[t]);
    }
}

static bool is_pointer(const struct looking *l, size_t declared_at)
{
    for (size_t i = 0; i < l->pointer_count; i++)
        if (l->pointers[i] == declared_at)
            return true;
    return false;
}

/* True for a pointer into the buffer. */
static bool points_there(const struct looking *l, struct dl__node *n)
{
    n = dl__strip(n);
    if (n->kind == DL__N_NAME)
        return is_pointer(l, n->declared_at);
    if (n->kind == DL__N_COMPOUND || dl__is_step(n))
        return points_there(l, n->children[0]);
    if (n->kind == DL__N_UNARY && dl__op_is(n, "&")) {
        n = dl__strip(n->children[0]);
        return n->kind == DL__N_SUBSCRIPT && n->child_count &&
               points_there(l, n->children[0]);
    }
    return n->kind == DL__N_BINARY && n->child_count == 2 &&
           (dl__op_is(n, "+") || dl__op_is(n, "-")) &&
           dl__type_of(l->unit, n)->kind != DL__T_SCALAR &&
           (points_there(l, n->children[0]) || points_there(l, n->children[1]));
}

/* Adds the pointers that are set from such; true when there are more. */
static bool find_pointers(struct looking *l, struct dl__node *n)
{
    struct dl__node *source = NULL, *to = NULL;
    bool more = false;

    if (n->kind == DL__N_VARIABLE && n->child_count) {
        to = n;
        source = n->children[n->child_count - 1];
    } else if (n->kind == DL__N_BINARY && dl__op_is(n, "=") && n->child_count == 2) {
        to = dl__strip(n->children[0]);
        source = n->children[1];
    }
    if (to && (to->kind == DL__N_VARIABLE || to->kind == DL__N_NAME) &&
        to->declared_at != SIZE_MAX && !is_pointer(l, to->declared_at) &&
        dl__type_of(l->unit, to)->kind == DL__T_POINTER && points_there(l, source)) {
        more = l->pointer_count < POINTERS_MAX;
        l->failed |= !more;
        if (more)
            l->pointers[l->pointer_count++] = to->declared_at;
    }
    for (size_t i = 0; i < n->child_count; i++)
        more |= find_pointers(l, n->children[i]);
    return more;
}

static void look(struct looking *l, struct dl__node *n);

static void look_in(struct looking *l, struct dl__function *f)
{
    struct dl__node *body = dl__ast_body(l->unit->tracker->ast, f);

    while (!l->failed && find_pointers(l, body))
        ;
    look(l, body);
}

/* What a helper's parameters are of the kernel's. */
static void give_own(struct looking *l, struct dl__node *call,
                     const struct dl__function *f, struct looking *inner)
{
    memset(inner->own, NO_NUMBER, sizeof inner->own);
    for (size_t i = 0; i < f->parameter_count && i < 64 && i + 1 < call->child_count; i++)
        inner->own[i] = (uint8_t)length_number(l, dl__strip_casts(call->children[i + 1]));
}

/* A helper, for each argument that points there. Builtins reach more than one element. */
static void look_at_call(struct looking *l, struct dl__node *n)
{
    struct dl__function *f = dl__ast_callee(l->unit->tracker->ast, n);

    for (size_t i = 1; i < n->child_count; i++) {
        struct looking *inner;

        if (!points_there(l, n->children[i]))
            continue;
        if (!f || !f->is_defined || i > f->parameter_count || l->depth == DEPTH_MAX) {
            l->failed = true;
            return;
        }
        inner = DL__NEW(l->unit->tracker->arena, struct looking);
        inner->unit = DL__NEW(l->unit->tracker->arena, struct dl__unit);
        inner->unit->tracker = l->unit->tracker;
        inner->unit->function = f;
        inner->depth = l->depth + 1;
        inner->pointers[inner->pointer_count++] = f->parameters[i - 1].name_at;
        inner->width = l->width;
        inner->parameters = l->parameters;
        give_own(l, n, f, inner);
        look_in(inner, f);
        l->width = inner->width;
        l->parameters = inner->parameters;
        l->no_lengths |= inner->no_lengths;
        l->lengths |= inner->lengths;
        l->sure_lengths |= inner->sure_lengths;
        l->failed |= inner->failed;
    }
}

/* What is added to a pointer says what a row is; what else is done with it is tracked later. */
static void look(struct looking *l, struct dl__node *n)
{
    bool is_sum = (n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND) &&
                  (n->op[0] == '+' || n->op[0] == '-');

    for (size_t i = 0;
         (is_sum || n->kind == DL__N_SUBSCRIPT) && n->child_count == 2 && i < 2; i++)
        if (points_there(l, n->children[i]) && !points_there(l, n->children[1 - i]))
            look_at_index(l, n->children[1 - i]);
    if (n->kind == DL__N_CALL)
        look_at_call(l, n);
    l->failed |=
        n->kind == DL__N_CAST && n->child_count && points_there(l, n->children[0]);
    for (size_t i = 0; i < n->child_count && !l->failed; i++)
        look(l, n->children[i]);
}

/* All that is done with a flat buffer; NULL: it is none. */
static struct looking *look_at(struct dl__rewriter *w, struct dl__function *f,
                               size_t number)
{
    const struct dl__type *type = f->parameters[number].type;
    struct looking *l = DL__NEW(&w->arena, struct looking);

    if (type->kind != DL__T_POINTER ||
        (type->element->kind != DL__T_SCALAR && type->element->kind != DL__T_VECTOR))
        return NULL;
    l->unit = DL__NEW(&w->arena, struct dl__unit);
    l->unit->tracker = &w->tracker;
    l->unit->function = f;
    l->pointers[l->pointer_count++] = f->parameters[number].name_at;
    l->parameters = UINT64_MAX;
    for (size_t i = 0; i < 64; i++)
        l->own[i] = (uint8_t)i;
    look_in(l, f);
    return l;
}

const char *dl__detect_width(struct dl__rewriter *w, struct dl__function *f,
                             size_t number)
{
    const struct looking *l = look_at(w, f, number);

    if (!l || l->failed || !l->width)
        return NULL;
    if (l->width > 1)
        return l->width <= DL_FLAT_WIDTH_MAX
                   ? dl__arena_format(&w->arena, "%lld", (long long)l->width)
                   : NULL;
    for (size_t i = 0; i < f->parameter_count && i < 64; i++)
        if (l->parameters >> i & 1)
            return f->parameters[i].name;
    return NULL;
}

const char *dl__detect_length(struct dl__rewriter *w, struct dl__function *f,
                              size_t number, bool *sure)
{
    const struct looking *l = look_at(w, f, number);
    uint64_t lengths = l && !l->failed ? l->lengths & ~l->no_lengths : 0;

    *sure = false;
    /* What is a loop's count of rows in an array may be a length itself: products come first. */
    for (size_t n = 0; n < NO_NUMBER; n++) {
        size_t i = (n + PRODUCTS_FIRST) % NO_NUMBER;

        if (!(lengths >> i & 1))
            continue;
        *sure = l->sure_lengths >> i & 1;
        return i < PRODUCTS_FIRST ? f->parameters[i].name
                                  : l->products[i - PRODUCTS_FIRST];
    }
    return NULL;
}
