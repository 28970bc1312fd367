/* SPDX-License-Identifier: MIT */
/* How buffers are declared and indexed: rows, discrete arrays, structs. What is added to
 * a pointer into rows is a sum, of which some terms are whole rows. */
#include "annotate/forms/rows.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/annotations/dimension.h"
#include "annotate/forms/index.h"
#include "annotate/text/lex.h"
#include "annotate/track/leaf_pointer.h"
#include "annotate/tree/resolve.h"

struct term {
    const char *text;
    bool negative;
    bool is_index; /* of type dl_index, or a literal: needs no conversion */
    const struct dl__integer *value; /* without the sign; NULL: not known */
};

struct terms {
    struct term *items;
    size_t count, room;
};

/* An index: rows * width + rest. */
struct parts {
    struct terms rows, rest;
};

/* How much of the split of an index is certain before the kernel runs. */
enum certainty {
    UNCERTAIN,
    EXACT, /* the rows are the index's where the rest is in the row */
    INSIDE /* it is */
};

/* The width of the rows of a flat buffer whose pointers are kept as two indices: that
 * only a launch knows, or a constant. */
struct width {
    const char *value;     /* a C expression of type long over the kernel's arguments */
    const char *dimension; /* the same in the tables' form */
    const char *written;   /* the same as in the annotation, for messages */
    /* The user's product: expressions without the parentheses around them, and a
     * constant. */
    struct {
        const char **items;
        size_t count, room;
    } factors;
    int64_t constant;
    const struct dl__row_kinds *kinds; /* the accessors; NULL: not by rows and rests */
};

static bool parts_add_sum(struct dl__unit *u, const struct dl__root *root,
                          struct dl__node *n, size_t stop, bool negative,
                          struct parts *out);

enum { ALIAS_DEPTH_MAX = 8 };

/* ---- the width as the user wrote it ---- */

/* A text without white space and parentheses around it. */
struct slice {
    const char *text;
    size_t bytes;
};

static bool is_blank(char c)
{
    return c && strchr(" \t\r\n", c);
}

/* True when the first parenthesis is closed by the last. */
static bool is_parenthesised(struct slice s)
{
    struct dl__lexer lexer = {.text = s.text, .bytes = s.bytes};
    unsigned depth = 0;
    struct dl__token t;

    if (s.bytes < 2 || s.text[0] != '(' || s.text[s.bytes - 1] != ')')
        return false;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        depth += dl__token_is(&t, "(");
        depth -= dl__token_is(&t, ")");
        if (!depth)
            return t.offset + 1 == s.bytes;
    }
    return false;
}

static struct slice trim(struct slice s)
{
    for (;;) {
        while (s.bytes && is_blank(s.text[0])) {
            s.text++;
            s.bytes--;
        }
        while (s.bytes && is_blank(s.text[s.bytes - 1]))
            s.bytes--;
        if (!is_parenthesised(s))
            return s;
        s.text++;
        s.bytes -= 2;
    }
}

static bool same_tokens(struct slice a, struct slice b)
{
    struct dl__lexer left, right;
    struct dl__token x, y;

    a = trim(a);
    b = trim(b);
    left = (struct dl__lexer){.text = a.text, .bytes = a.bytes};
    right = (struct dl__lexer){.text = b.text, .bytes = b.bytes};
    do {
        do
            x = dl__lex_next(&left);
        while (x.kind == DL__NEWLINE);
        do
            y = dl__lex_next(&right);
        while (y.kind == DL__NEWLINE);
        if (x.kind != y.kind || x.bytes != y.bytes || memcmp(x.text, y.text, x.bytes))
            return false;
    } while (x.kind != DL__END);
    return true;
}

/* `global_size(0)` as a kernel calls it. */
static const char *as_in_kernels(struct dl__arena *arena, struct slice s)
{
    const char *text = dl__arena_text(arena, s.text, s.bytes);

    return strncmp(text, "global_size", strlen("global_size"))
               ? text
               : dl__arena_format(arena, "get_%s", text);
}

static bool number_of(struct slice s, int64_t *out)
{
    bool is_unsigned;
    uint64_t value;

    if (!dl__integer_read(s.text, s.bytes, &value, &is_unsigned) || value > INT32_MAX)
        return false;
    *out = (int64_t)value;
    return true;
}

static void add_factors(struct dl__arena *arena, struct slice s, struct width *out)
{
    struct dl__lexer lexer = {.text = s.text, .bytes = s.bytes};
    size_t stars = 0, first_star = 0;
    bool product = true;
    unsigned depth = 0;
    struct dl__token t;
    int64_t number, constant;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool open = dl__token_is(&t, "(") || dl__token_is(&t, "[");

        depth -= dl__token_is(&t, ")") || dl__token_is(&t, "]");
        if (!depth && !open && dl__token_is(&t, "*")) {
            first_star = stars++ ? first_star : t.offset;
        } else if (!depth && t.kind == DL__PUNCT && !open && !dl__token_is(&t, ")") &&
                   !dl__token_is(&t, "]") && !dl__token_is(&t, ".")) {
            product = false;
        }
        depth += open;
    }
    if (product && stars) {
        struct slice left = {s.text, first_star},
                     right = {s.text + first_star + 1, s.bytes - first_star - 1};

        add_factors(arena, trim(left), out);
        add_factors(arena, trim(right), out);
    } else if (number_of(s, &number) && number &&
               !__builtin_mul_overflow(out->constant, number, &constant)) {
        out->constant = constant;
    } else {
        const char *text = as_in_kernels(arena, s);

        DL__PUSH(arena, &out->factors, text);
    }
}

int64_t dl__width_constant(const struct dl__root *root)
{
    const struct width *width = root->shape;

    return width->factors.count ? 0 : width->constant;
}

/* The width that is made of arguments; NULL: the reason is in the binding. */
static const struct width *width_make(struct dl__binding *b,
                                      const struct dl__row_kinds *kinds)
{
    const char *dimension =
        dl__resolve_dimension(b->arena, b->ast, b->function, b->width, &b->reason);
    struct width *width;

    if (!dimension)
        return NULL;
    width = DL__NEW(b->arena, struct width);
    width->value = dl__resolve_value(b->arena, b->width);
    width->dimension = dimension;
    width->written = b->width;
    width->constant = 1;
    width->kinds = kinds;
    add_factors(b->arena, trim((struct slice){b->width, strlen(b->width)}), width);
    return width;
}

/* True when a buffer with a width is a pointer to scalars or vectors, and the width uses
 * nothing but arguments; else the reason is in the binding. */
static bool width_is_sound(struct dl__binding *b)
{
    const struct dl__type *type = b->type;

    if (type->kind != DL__T_POINTER ||
        (type->element->kind != DL__T_SCALAR && type->element->kind != DL__T_VECTOR))
        b->reason = dl__arena_format(
            b->arena, "'%s' is not a pointer to scalars or vectors", b->buffer);
    else if (!dl__resolve_value(b->arena, b->width))
        b->reason = dl__arena_format(
            b->arena,
            "the width of '%s' uses more of the launch than global sizes and arguments",
            b->buffer);
    return !b->reason;
}

/* Kernels of one text that agree on a row share it. */
static void width_give_rows(struct dl__binding *b, uint32_t width, struct dl__root *root)
{
    struct dl__struct *made = dl__flat_row(b->arena, b->type->element, width),
                      *row = *b->rows;

    while (row && strcmp(row->tag, made->tag))
        row = row->next;
    if (!row) {
        row = made;
        row->next = *b->rows;
        *b->rows = row;
    }
    root->element = row;
    root->element_type = row->fields->type->element;
}

/* ---- one factor ---- */

static bool is_integer(const struct dl__type *type, uint32_t bytes_min)
{
    return type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u') &&
           type->bytes >= bytes_min;
}

/* True when the expression has the same value in the kernel's arithmetic as in 64 bits
 * with a sign, if that is a width at all: signed arithmetic does not overflow, and what
 * wraps comes back where nothing but sums and products of one size is made of it. */
static bool has_exact_value(struct dl__unit *u, struct dl__node *n, bool ring)
{
    const struct dl__type *type = dl__type_of(u, n);
    size_t parameter;

    if (n->kind == DL__N_NAME)
        return n->is_constant || dl__is_fixed_parameter(u, n, &parameter);
    if (n->kind == DL__N_CALL && dl__ast_callee(u->tracker->ast, n))
        return false;
    if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT && n->kind != DL__N_OTHER &&
        n->kind != DL__N_UNARY && n->kind != DL__N_BINARY && n->kind != DL__N_CALL &&
        n->kind != DL__N_MEMBER && n->kind != DL__N_SUBSCRIPT)
        return false;
    if (n->kind == DL__N_BINARY || n->kind == DL__N_UNARY || n->kind == DL__N_CALL) {
        bool simple = dl__op_is(n, "+") || dl__op_is(n, "-") || dl__op_is(n, "*");

        if (!is_integer(type, 4))
            return false;
        for (size_t i = n->kind == DL__N_CALL; i < n->child_count; i++) {
            const struct dl__type *part = dl__type_of(u, dl__strip(n->children[i]));

            if (!(is_integer(part, 1) && part->scalar == 'i') &&
                !(ring && simple && is_integer(part, 1)))
                return false;
        }
        ring = simple;
    }
    for (size_t i = n->kind == DL__N_CALL; i < n->child_count; i++) {
        const struct dl__type *part = dl__type_of(u, n->children[i]);
        enum dl__node_kind inner = dl__strip(n->children[i])->kind;

        /* A sum that wrapped must not be made wider. */
        if (n->kind == DL__N_IMPLICIT && is_integer(type, 4) && is_integer(part, 4) &&
            part->scalar == 'u' && part->bytes < type->bytes &&
            (inner == DL__N_BINARY || inner == DL__N_UNARY))
            return false;
        if (!has_exact_value(u, n->children[i], ring))
            return false;
    }
    return true;
}

static bool is_conversion(struct dl__unit *u, const struct dl__node *n)
{
    return (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT ||
            n->kind == DL__N_CAST) &&
           n->child_count == 1 &&
           (n->kind != DL__N_CAST || is_integer(dl__type_of(u, (struct dl__node *)n), 4));
}

/* The expression inside conversions that keep a width's value: one from 1 to 2^31. */
static struct dl__node *converted(struct dl__unit *u, struct dl__node *n)
{
    while (is_conversion(u, n) && is_integer(dl__type_of(u, n), 4) &&
           is_integer(dl__type_of(u, n->children[0]), 1))
        n = n->children[0];
    return n;
}

/* One factor of several may be negative: no bits may be lost, nor added to an unsigned
 * form of it. */
static bool keeps_negative(struct dl__unit *u, struct dl__node *n)
{
    bool widened = false;

    while (is_conversion(u, n)) {
        const struct dl__type *to = dl__type_of(u, n),
                              *from = dl__type_of(u, n->children[0]);

        if (!is_integer(to, 4) || !is_integer(from, 1) || to->bytes < from->bytes ||
            (widened && from->scalar == 'i'))
            return false;
        widened |= to->bytes > from->bytes && from->scalar == 'u';
        n = n->children[0];
    }
    return true;
}

static bool is_factor(struct dl__unit *u, struct dl__node *n, const char *factor)
{
    const char *text = u->tracker->ast->text;
    struct slice of_node, of_factor = {factor, strlen(factor)};
    struct dl__node *inner = converted(u, n);

    of_node = (struct slice){text + inner->begin, inner->end - inner->begin};
    return inner->end > inner->begin && is_integer(dl__type_of(u, inner), 1) &&
           same_tokens(of_node, of_factor) && has_exact_value(u, inner, true);
}

/* ---- products ---- */

/* True for a conversion under which a sum or product stays that of its parts: what wraps
 * at 2^32 must go on to do so. */
static bool keeps_sums(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *to = dl__type_of(u, n), *from;

    if (!is_conversion(u, n))
        return false;
    from = dl__type_of(u, n->children[0]);
    if (!is_integer(to, 4) || !is_integer(from, 4))
        return false;
    if (to->bytes == from->bytes)
        return from->bytes == 8 || from->scalar == 'i' || to->scalar == 'u';
    return to->bytes > from->bytes && from->scalar == 'i';
}

static bool flatten(struct dl__unit *u, struct dl__node *n, size_t stop,
                    struct dl__product *out)
{
    int64_t constant;
    size_t inner;

    if (stop != SIZE_MAX && dl__skip(u, n->end) != stop)
        return false;
    if (dl__constant_of(u, n, &constant))
        return !__builtin_mul_overflow(out->constant, constant, &out->constant) &&
               out->constant <= INT32_MAX && out->constant >= INT32_MIN;
    if (keeps_sums(u, n)) {
        inner = dl__skip(u, n->children[0]->end);
        if (n->kind == DL__N_PAREN && dl__text_at(u, inner) != ')')
            return false;
        return flatten(u, n->children[0], n->kind == DL__N_PAREN ? inner : stop, out);
    }
    if (n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "*") &&
        is_integer(dl__type_of(u, n), 4)) {
        inner = dl__skip(u, n->children[0]->end);
        return dl__text_at(u, inner) == '*' && flatten(u, n->children[0], inner, out) &&
               flatten(u, n->children[1], stop, out);
    }
    if (out->count == DL__FACTORS_MAX || !is_integer(dl__type_of(u, n), 1))
        return false;
    out->items[out->count++] = n;
    return true;
}

static bool is_width(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                     size_t stop, unsigned depth);

/* A name that holds the width. */
static bool is_alias(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                     unsigned depth)
{
    struct dl__node *declaration, *value;
    size_t parameter, stop;

    n = converted(u, n);
    if (n->kind != DL__N_NAME || depth > ALIAS_DEPTH_MAX ||
        !is_integer(dl__type_of(u, n), 4))
        return false;
    if (u->new_name && dl__is_fixed_parameter(u, n, &parameter))
        return parameter < 64 && root->shape_parameters >> parameter & 1;
    if (dl__is_changed(u, n->declared_at, &declaration) || !declaration ||
        !declaration->child_count)
        return false;
    value = declaration->children[declaration->child_count - 1];
    stop = dl__skip(u, value->end);
    return (dl__text_at(u, stop) == ';' || dl__text_at(u, stop) == ',') &&
           is_integer(dl__type_of(u, value), 1) &&
           is_width(u, root, value, stop, depth + 1);
}

static void drop(struct dl__product *product, size_t at)
{
    memmove(&product->items[at], &product->items[at + 1],
            (product->count - at - 1) * sizeof *product->items);
    product->count--;
}

static bool take_width(struct dl__unit *u, const struct dl__root *root,
                       struct dl__product *product, unsigned depth)
{
    const struct width *width = root->shape;
    struct dl__product rest = *product;
    size_t found = 0;

    for (size_t i = 0; i < product->count; i++) {
        if (is_alias(u, root, product->items[i], depth)) {
            drop(product, i);
            return true;
        }
    }
    /* Names may mean something else in a helper, constants don't. */
    if ((u->new_name && width->factors.count) || product->constant % width->constant)
        return false;
    rest.constant /= width->constant;
    for (size_t f = 0; f < width->factors.count; f++) {
        for (size_t i = 0; i < rest.count; i++) {
            bool whole = width->factors.count == 1 && width->constant == 1;

            if (is_factor(u, rest.items[i], width->factors.items[f]) &&
                (whole || keeps_negative(u, rest.items[i]))) {
                drop(&rest, i);
                found++;
                break;
            }
        }
    }
    if (found != width->factors.count)
        return false;
    *product = rest;
    return true;
}

static bool is_width(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                     size_t stop, unsigned depth)
{
    struct dl__product product = {.constant = 1};

    return flatten(u, n, stop, &product) && take_width(u, root, &product, depth) &&
           !product.count && product.constant == 1;
}

bool dl__is_width(struct dl__unit *u, const struct dl__root *root, struct dl__node *n)
{
    size_t stop = dl__skip(u, n->end);

    return (dl__text_at(u, stop) == ',' || dl__text_at(u, stop) == ')') &&
           is_width(u, root, n, stop, 0);
}

bool dl__take_rows(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                   size_t stop, struct dl__product *out)
{
    out->constant = 1;
    out->count = 0;
    return flatten(u, n, stop, out) && take_width(u, root, out, 0);
}

/* ---- names ---- */

/* True when a name is a constant of the function that is rows and so many elements: its
 * value less those is a multiple of the width. */
static bool is_rows(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                    int64_t *elements)
{
    int64_t width = dl__width_constant(root);
    const struct dl__type *type = dl__type_of(u, n);
    const struct dl__integer *value;

    if (n->kind != DL__N_NAME || n->is_constant || width < 2 || !is_integer(type, 4))
        return false;
    value = dl__integer_of(dl__scope_of(u), n);
    *elements = 0;
    for (size_t t = 0; t < value->sum.terms.count; t++) {
        const struct dl__polynomial_term *term = &value->sum.terms.items[t];

        if (!term->count)
            *elements = term->coefficient;
        else if (term->coefficient % width)
            return false;
    }
    /* What is taken away from a number without a sign must leave one. */
    return value->is_exact && (type->scalar == 'i' || *elements >= 0);
}

/* ---- Index functions seen through: their sums stand in place of calls. ---- */

/* True when an argument that stands twice in the sum costs next to nothing. */
static bool are_cheap(const struct dl__index_call *call, const struct dl__node *call_node)
{
    for (size_t a = 1; a < call_node->child_count; a++) {
        struct dl__node *n = call_node->children[a];
        unsigned uses = 0;

        for (size_t t = 0; t < call->sum->terms.count; t++)
            for (size_t k = 0; k < call->sum->terms.items[t].count; k++)
                uses += call->sum->terms.items[t].atoms[k]->origin->node == n;
        if (uses > 1 && dl__strip(n)->kind != DL__N_NAME)
            return false;
    }
    return true;
}

/* The function with its parameters as atoms, but for constants. */
static struct dl__scope *scope_of_parameters(struct dl__unit *u, struct dl__node *n,
                                             struct dl__function *f)
{
    struct dl__scope *scope = dl__scope_of_call(dl__scope_of(u), n, f);

    for (size_t i = 0; scope && i < f->parameter_count; i++) {
        struct dl__node *argument = n->children[i + 1];
        const struct dl__type *type = f->parameters[i].type;
        struct dl__origin origin = {
            .node = argument, .declared_at = SIZE_MAX, .parameter = i, .type = type};
        int64_t constant;

        if (!scope->arguments[i])
            return NULL;
        origin.range = scope->arguments[i]->range;
        if (!dl__constant_of(u, argument, &constant))
            scope->arguments[i] = dl__integer_atom(scope, &origin);
    }
    return scope;
}

static bool is_of_parameters(const struct dl__polynomial *sum)
{
    for (size_t t = 0; t < sum->terms.count; t++)
        for (size_t a = 0; a < sum->terms.items[t].count; a++)
            if (sum->terms.items[t].atoms[a]->origin->parameter == SIZE_MAX)
                return false;
    return true;
}

bool dl__is_index_call(struct dl__unit *u, struct dl__node *n, struct dl__index_call *out)
{
    struct dl__function *f =
        n->kind == DL__N_CALL ? dl__ast_callee(u->tracker->ast, n) : NULL;
    struct dl__scope *scope;
    const struct dl__integer *value;

    if (!f || !f->is_defined || !dl__is_integer_type(f->result) || f->result->bytes < 4)
        return false;
    scope = scope_of_parameters(u, n, f);
    value = scope ? dl__integer_returned(scope) : NULL;
    if (!value || !is_of_parameters(&value->sum))
        return false;
    for (size_t i = 1; i < n->child_count; i++)
        if (!dl__is_pure(u, n->children[i]))
            return false;
    out->type = f->result;
    out->sum = &value->sum;
    return are_cheap(out, n);
}

/* ---- An index taken apart into the terms of its sum.
 *
 * Terms that are multiples of the width give rows, the others the rest, which may lie
 * outside the row: accessors put that right, so the two parts stand for the same element
 * whatever their values are. Every term is converted to dl_index by itself, where sums
 * keep their value modulo 2^32 or 2^64; what wraps earlier than that is split only for
 * 32-bit indices. ---- */

/* ---- text ---- */

static void terms_add(struct dl__unit *u, struct terms *terms, struct term term)
{
    DL__PUSH(u->tracker->arena, terms, term);
}

static const char *terms_text(struct dl__unit *u, const struct terms *terms)
{
    struct dl__buf out = {.arena = u->tracker->arena};

    if (!terms->count)
        return "0";
    if (terms->count == 1 && !terms->items[0].negative)
        return terms->items[0].text;
    for (size_t i = 0; i < terms->count; i++) {
        const struct term *t = &terms->items[i];

        if (i)
            dl__buf_puts(&out, t->negative ? " - " : " + ");
        else
            dl__buf_puts(&out, t->negative ? "-" : "");
        dl__buf_printf(&out, t->is_index ? "%s" : "(dl_index)(%s)", t->text);
    }
    return out.items;
}

/* The index as one sum of type dl_index. */
static const char *parts_text(struct dl__unit *u, const struct dl__root *root,
                              const struct parts *parts)
{
    const char *rest = terms_text(u, &parts->rest);

    if (!parts->rows.count)
        return dl__format(u, "(dl_index)(%s)", rest);
    return dl__format(u, "(dl_index)(%s) * dl_w_%s + (%s)", terms_text(u, &parts->rows),
                      root->name, rest);
}

/* ---- what is certain ---- */

/* An index of 32 bits tells these apart, signed or not. */
static const struct dl__range exact_range = {INT32_MIN, UINT32_MAX};

/* Modulo 2^32, only what lies in a row seems to: of rows that a launch knows, up to 2^30
 * elements, since sums with a sign that reach further with longer rows overflow. */
static bool is_told_apart(struct dl__range rest, int64_t width)
{
    return dl__range_is_within(
        rest, (struct dl__range){(width > 1 ? width : INT64_C(1) << 30) - UINT32_MAX - 1,
                                 UINT32_MAX});
}

static const struct dl__integer *value_of_terms(struct dl__unit *u,
                                                const struct terms *terms)
{
    const struct dl__integer *value = dl__integer_number(u->tracker->arena, 0);

    for (size_t i = 0; i < terms->count && value; i++) {
        const struct term *t = &terms->items[i];

        value = t->value && t->value->is_exact
                    ? dl__integer_sum(u->tracker->arena, value, t->value,
                                      t->negative ? -1 : 1)
                    : NULL;
    }
    return value;
}

static int64_t row_of(int64_t element, int64_t width)
{
    return element / width - (element % width < 0);
}

static void add_number(struct dl__unit *u, int64_t number, struct terms *out)
{
    struct term term = {.negative = number < 0, .is_index = true};

    term.text = dl__format(u, "%lld", (long long)(number < 0 ? -number : number));
    terms_add(u, out, term);
}

/* Moves whole rows out of a rest that lies in one row, and says what is certain then. */
static enum certainty parts_settle(struct dl__unit *u, const struct dl__root *root,
                                   struct dl__node *index, struct parts *parts)
{
    struct dl__arena *arena = u->tracker->arena;
    int64_t width = dl__width_constant(root), row;
    const struct dl__integer *rows = value_of_terms(u, &parts->rows),
                             *rest = value_of_terms(u, &parts->rest),
                             *whole = dl__is_integer_type(dl__type_of(u, index))
                                          ? dl__integer_of(dl__scope_of(u), index)
                                          : NULL,
                             *again = rows && rest && width > 1
                                          ? dl__integer_sum(arena, rest, rows, width)
                                          : NULL;

    struct dl__range in_row;

    if (!rows || !rest || !whole || !whole->is_exact)
        return UNCERTAIN;
    /* Without rows, all that the index is. */
    in_row = dl__polynomial_is_zero(&rows->sum)
                 ? dl__range_meet(rest->range, whole->range)
                 : rest->range;
    if (!is_told_apart(in_row, width))
        return UNCERTAIN;
    if (width < 2)
        return EXACT;
    if (!again || !dl__polynomial_equal(&whole->sum, &again->sum))
        return UNCERTAIN;
    row = row_of(in_row.lo, width);
    if (row != row_of(in_row.hi, width))
        return EXACT;
    if (row) {
        add_number(u, row, &parts->rows);
        add_number(u, -row * width, &parts->rest);
    }
    return INSIDE;
}

/* ---- sums ---- */

static const struct dl__integer *value_of_product(struct dl__unit *u,
                                                  const struct dl__product *product)
{
    const struct dl__integer *value =
        dl__integer_number(u->tracker->arena, product->constant);

    for (size_t i = 0; i < product->count && value; i++)
        value = dl__integer_product(u->tracker->arena, value,
                                    dl__integer_of(dl__scope_of(u), product->items[i]));
    return value;
}

static void add_product(struct dl__unit *u, const struct dl__product *product,
                        bool negative, struct terms *out)
{
    struct dl__buf text = {.arena = u->tracker->arena};
    struct term term = {
        .negative = negative, .is_index = true, .value = value_of_product(u, product)};
    int64_t constant = product->constant;

    if (product->count == 1 && constant == 1) {
        struct dl__node *n = product->items[0];

        term.text = dl__rewritten(u, n, n->begin, n->end);
        term.is_index = false;
        terms_add(u, out, term);
        return;
    }
    if (constant != 1 || !product->count)
        dl__buf_printf(&text, constant < 0 ? "(%lld)" : "%lld", (long long)constant);
    for (size_t i = 0; i < product->count; i++) {
        struct dl__node *n = product->items[i];

        dl__buf_printf(&text, "%s(dl_index)(%s)", text.count ? " * " : "",
                       dl__rewritten(u, n, n->begin, n->end));
    }
    term.text = text.items;
    terms_add(u, out, term);
}

/* A sum that wraps at 2^32 and is widened then. */
static bool add_wrapping(struct dl__unit *u, const struct dl__root *root,
                         struct dl__node *n, size_t begin, size_t stop, bool negative,
                         struct parts *out)
{
    struct parts inner = {0};
    const char *whole;
    const struct dl__integer *value = dl__integer_of(dl__scope_of(u), n);
    struct term term = {.negative = negative, .is_index = true};

    /* It does not wrap. */
    if (value->is_exact && dl__range_is_within(value->range, exact_range))
        return parts_add_sum(u, root, n, stop, negative, out);
    if (!parts_add_sum(u, root, n, stop, false, &inner))
        return false;
    whole = dl__rewritten(u, n, begin, n->end);
    if (!inner.rows.count) {
        term.text = whole;
        term.is_index = false;
        term.value = value;
        terms_add(u, &out->rest, term);
        return true;
    }
    term.text = dl__format(u, "DL_PARTS(%s, 0)", terms_text(u, &inner.rows));
    terms_add(u, &out->rows, term);
    term.text = dl__format(u, "DL_PARTS((dl_index)(%s), (dl_index)(%s))",
                           terms_text(u, &inner.rest), whole);
    terms_add(u, &out->rest, term);
    return true;
}

/* Adds the whole rows of a constant; what is left of it lies in a row. */
static int64_t take_constant_rows(struct dl__unit *u, const struct dl__root *root,
                                  int64_t constant, bool negative, struct parts *out)
{
    int64_t width = dl__width_constant(root), rows;
    struct term term = {.is_index = true};

    if (width < 2)
        return constant;
    /* What is taken away must leave a rest in the row, too. */
    rows = constant / width - (negative ? 0 : constant % width < 0);
    rows += negative && constant % width > 0;
    if (rows) {
        term.negative = negative != (rows < 0);
        term.text = dl__format(u, "%lld", (long long)(rows < 0 ? -rows : rows));
        term.value = dl__integer_number(u->tracker->arena, rows < 0 ? -rows : rows);
        terms_add(u, &out->rows, term);
    }
    return constant - rows * width;
}

static void add_constant(struct dl__unit *u, const struct dl__root *root,
                         int64_t constant, bool negative, struct parts *out)
{
    struct term term = {.negative = negative, .is_index = true};

    constant = take_constant_rows(u, root, constant, negative, out);
    if (!constant)
        return;
    term.text = dl__format(u, constant < 0 ? "(%lld)" : "%lld", (long long)constant);
    term.value = dl__integer_number(u->tracker->arena, constant);
    terms_add(u, &out->rest, term);
}

/* (value - elements) / width, where that is a sum; NULL: it is not. */
static const struct dl__integer *rows_of_value(struct dl__unit *u,
                                               const struct dl__integer *value,
                                               int64_t elements, int64_t width)
{
    struct dl__arena *arena = u->tracker->arena;
    const struct dl__integer *taken = dl__integer_number(arena, elements);
    struct dl__integer *rows = taken ? dl__integer_sum(arena, value, taken, -1) : NULL;

    for (size_t t = 0; rows && t < rows->sum.terms.count; t++) {
        struct dl__polynomial_term *term = &rows->sum.terms.items[t];

        if (term->coefficient % width)
            return NULL;
        term->coefficient /= width;
    }
    if (rows)
        rows->range = dl__range_divide(rows->range, width);
    return rows;
}

/* A constant that the function has made of rows: one division, of all its uses. */
static bool add_name(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                     bool negative, struct parts *out)
{
    struct term term = {.negative = negative};
    int64_t elements, width = dl__width_constant(root);

    if (!is_rows(u, root, n, &elements))
        return false;
    term.value = rows_of_value(u, dl__integer_of(dl__scope_of(u), n), elements, width);
    if (term.value && dl__polynomial_is_zero(&term.value->sum)) {
        add_constant(u, root, elements, negative, out);
        return true;
    }
    term.text = elements ? dl__format(u, "(%s - (%lld)) / %lld", n->name,
                                      (long long)elements, (long long)width)
                         : dl__format(u, "%s / %lld", n->name, (long long)width);
    terms_add(u, &out->rows, term);
    add_constant(u, root, elements, negative, out);
    return true;
}

/* An argument, as the function has it. */
static const char *argument_text(struct dl__unit *u, struct dl__node *n,
                                 const struct dl__type *type)
{
    const char *text = dl__rewritten(u, n, n->begin, n->end);
    const struct dl__type *own = dl__type_of(u, dl__strip(n));

    return own->kind == DL__T_SCALAR && own->scalar == type->scalar &&
                   own->bytes == type->bytes
               ? text
               : dl__format(u, "(%s)(%s)", dl__type_text(type->name), text);
}

static const struct dl__integer *times_argument(struct dl__unit *u,
                                                const struct dl__integer *value,
                                                const struct dl__origin *origin)
{
    struct dl__scope *scope = dl__scope_of(u);

    return value ? dl__integer_product(
                       u->tracker->arena, value,
                       dl__integer_converted(scope, dl__integer_of(scope, origin->node),
                                             dl__type_of(u, origin->node), origin->type))
                 : NULL;
}

/* A constant times arguments, but for the width: that of the term's rows is 1. */
static void add_monomial(struct dl__unit *u, const struct dl__polynomial_term *m,
                         int64_t coefficient, const struct dl__atom *width, bool negative,
                         struct terms *out)
{
    struct term term = {.negative = negative,
                        .value = dl__integer_number(u->tracker->arena, coefficient)};
    struct dl__buf text = {.arena = u->tracker->arena};
    const char *last = "";
    size_t count = 0;
    bool left_out = false;

    dl__buf_puts(&text, "");
    if (coefficient != 1)
        dl__buf_printf(&text, coefficient < 0 ? "(%lld)" : "%lld",
                       (long long)coefficient);
    for (size_t i = 0; i < m->count; i++) {
        const struct dl__origin *origin = m->atoms[i]->origin;

        if (m->atoms[i] == width && !left_out) {
            left_out = true;
            continue;
        }
        last = argument_text(u, origin->node, origin->type);
        term.value = times_argument(u, term.value, origin);
        dl__buf_printf(&text, "%s(dl_index)(%s)", text.count ? " * " : "", last);
        count++;
    }
    term.is_index = coefficient != 1 || count != 1;
    term.text = !term.is_index ? last : text.count ? text.items : "1";
    terms_add(u, out, term);
}

/* A call of an index function: the terms that it returns. */
static bool add_call(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                     bool negative, struct parts *out)
{
    int64_t width = dl__width_constant(root);
    struct dl__index_call call;

    if (!dl__is_index_call(u, n, &call))
        return false;
    for (size_t i = 0; i < call.sum->terms.count; i++) {
        const struct dl__polynomial_term *m = &call.sum->terms.items[i];
        const struct dl__atom *holds_width = NULL;

        for (size_t k = 0; k < m->count && !holds_width; k++)
            holds_width =
                dl__is_width(u, root, m->atoms[k]->origin->node) ? m->atoms[k] : NULL;
        if (!m->count)
            add_constant(u, root, m->coefficient, negative, out);
        else if (holds_width)
            add_monomial(u, m, m->coefficient, holds_width, negative, &out->rows);
        else if (width > 1 && m->coefficient % width == 0)
            add_monomial(u, m, m->coefficient / width, NULL, negative, &out->rows);
        else
            add_monomial(u, m, m->coefficient, NULL, negative, &out->rest);
    }
    return true;
}

/* Adds the terms of an expression, after which the text goes on at `stop`; false when the
 * text is not where the tree says it is. */
static bool parts_add_sum(struct dl__unit *u, const struct dl__root *root,
                          struct dl__node *n, size_t stop, bool negative,
                          struct parts *out)
{
    const struct dl__type *type = dl__type_of(u, n);
    struct term term = {.negative = negative};
    struct dl__product product;
    int64_t constant;
    size_t inner;

    if (dl__skip(u, n->end) != stop)
        return false;
    if (dl__constant_of(u, n, &constant)) {
        add_constant(u, root, constant, negative, out);
        return true;
    }
    if (type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u') &&
        type->bytes >= 4) {
        if (keeps_sums(u, n)) {
            inner = n->kind == DL__N_PAREN ? dl__skip(u, n->children[0]->end) : stop;
            return (n->kind != DL__N_PAREN || dl__text_at(u, inner) == ')') &&
                   parts_add_sum(u, root, n->children[0], inner, negative, out);
        }
        if ((n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) && n->child_count == 1 &&
            dl__wraps_at_32_bits(dl__type_of(u, n->children[0])))
            return add_wrapping(u, root, n->children[0], n->begin, stop, negative, out);
        if (n->kind == DL__N_UNARY && dl__op_is(n, "-"))
            return parts_add_sum(u, root, n->children[0], stop, !negative, out);
        if (n->kind == DL__N_BINARY && n->child_count == 2 &&
            (dl__op_is(n, "+") || dl__op_is(n, "-"))) {
            inner = dl__skip(u, n->children[0]->end);
            return dl__text_at(u, inner) == n->op[0] &&
                   parts_add_sum(u, root, n->children[0], inner, negative, out) &&
                   parts_add_sum(u, root, n->children[1], stop,
                                 negative != dl__op_is(n, "-"), out);
        }
        if (add_name(u, root, n, negative, out) || add_call(u, root, n, negative, out))
            return true;
        if (dl__take_rows(u, root, n, stop, &product)) {
            add_product(u, &product, negative, &out->rows);
            return true;
        }
    }
    term.text = dl__rewritten(u, n, n->begin, n->end);
    if (dl__is_integer_type(type))
        term.value = dl__integer_of(dl__scope_of(u), n);
    terms_add(u, &out->rest, term);
    return true;
}

/* Adds an integer that stands at [begin, end) and is added to a pointer. */
static void parts_add_integer(struct dl__unit *u, const struct dl__root *root,
                              struct dl__node *n, size_t begin, size_t end, bool negative,
                              struct parts *out)
{
    struct parts found = {0};
    size_t stop = dl__skip(u, end);
    bool good = u->nested > DL__TWICE_DEPTH_MAX ? false
                : dl__wraps_at_32_bits(dl__type_of(u, n))
                    ? add_wrapping(u, root, n, begin, stop, false, &found)
                    : parts_add_sum(u, root, n, stop, false, &found);

    if (!good) {
        struct term term = {.text = dl__rewritten(u, n, begin, end)};

        if (dl__is_integer_type(dl__type_of(u, n)))
            term.value = dl__integer_of(dl__scope_of(u), n);
        memset(&found, 0, sizeof found);
        terms_add(u, &found.rest, term);
    }
    for (size_t i = 0; i < found.rows.count; i++) {
        found.rows.items[i].negative ^= negative;
        terms_add(u, &out->rows, found.rows.items[i]);
    }
    for (size_t i = 0; i < found.rest.count; i++) {
        found.rest.items[i].negative ^= negative;
        terms_add(u, &out->rest, found.rest.items[i]);
    }
}

static const struct dl__form form_arrays;

static bool rows_bind(struct dl__binding *b, struct dl__root *root)
{
    if (!b->width)
        return false;
    if (width_is_sound(b))
        root->shape = width_make(b, &dl__rows_kinds);
    if (b->reason)
        return true;
    width_give_rows(b, (uint32_t)dl__width_constant(root), root);
    return true;
}

/* ---- pointers ---- */

static const char *rest_name(struct dl__unit *u, const struct dl__variable *v)
{
    return v->kind == DL__INDEX ? v->name : dl__format(u, "dl_at_%s", v->name);
}

static void add_index_term(struct dl__unit *u, struct terms *terms, const char *text)
{
    struct term term = {.text = text, .is_index = true};

    terms_add(u, terms, term);
}

static void add_pointer(struct dl__unit *u, struct dl__node *n, struct parts *out);

static void add_conditional(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    const struct dl__root *root = dl__root_of(u, n);
    struct dl__node *c = n->children[0];
    struct parts left = {0}, right = {0};
    const char *condition = dl__rewritten(u, c, c->begin, c->end);

    add_pointer(u, n->children[1], &left);
    add_pointer(u, n->children[2], &right);
    if ((left.rows.count || right.rows.count) && dl__is_pure(u, c) &&
        u->nested <= DL__TWICE_DEPTH_MAX) {
        add_index_term(u, &out->rows,
                       dl__format(u, "((%s) ? (dl_index)(%s) : (dl_index)(%s))",
                                  condition, terms_text(u, &left.rows),
                                  terms_text(u, &right.rows)));
        add_index_term(u, &out->rest,
                       dl__format(u, "((%s) ? (dl_index)(%s) : (dl_index)(%s))",
                                  condition, terms_text(u, &left.rest),
                                  terms_text(u, &right.rest)));
        return;
    }
    add_index_term(u, &out->rest,
                   dl__format(u, "((%s) ? %s : %s)", condition,
                              parts_text(u, root, &left), parts_text(u, root, &right)));
}

static void add_change(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n->children[0]));
    const char *name = v ? rest_name(u, v) : "";
    struct parts value = {0};

    if (!v || dl__strip(n->children[0])->kind != DL__N_NAME)
        dl__refuse(u, n->begin, "this use of a pointer into '%s' is not understood",
                   dl__root_of(u, n)->name);
    if (dl__is_step(n)) {
        add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
        add_index_term(u, &out->rest,
                       dl__format(u, n->postfix ? "%s%s" : "%2$s%1$s", name, n->op));
        return;
    }
    if (n->kind == DL__N_COMPOUND) {
        struct dl__node *by = n->children[1];

        parts_add_integer(u, v->root, by, by->begin, by->end, false, &value);
        add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
        add_index_term(
            u, &out->rest,
            dl__format(u, "(%s %s %s)", name, n->op, parts_text(u, v->root, &value)));
        return;
    }
    if (dl__root_of(u, n->children[1]) != v->root)
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   v->root->name);
    add_pointer(u, n->children[1], &value);
    add_index_term(u, &out->rest,
                   dl__format(u, "(%s = %s, dl_row_%s = 0, %s)", name,
                              parts_text(u, v->root, &value), v->name, name));
}

static void add_pointer_name(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    const struct dl__variable *v = dl__variable_of(u, n);

    if (dl__is_moved(u, n)) {
        add_index_term(u, &out->rest, dl__moved_text(u, n));
    } else if (!dl__is_base(u, n)) {
        add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
        add_index_term(u, &out->rest, rest_name(u, v));
    }
}

/* Adds the two indices of a pointer into a buffer. */
static void add_pointer(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    struct dl__node *left, *right;
    struct dl__access place;
    size_t begin, end;

    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        add_pointer(u, n->children[0], out);
        return;
    case DL__N_NAME:
    case DL__N_MEMBER:
        add_pointer_name(u, n, out);
        return;
    case DL__N_UNARY:
        if (dl__op_is(n, "&")) {
            dl__find_place(u, n->children[0], &place);
            add_pointer(u, place.pointer, out);
            if (place.index) {
                dl__bracket_range(u, place.index_host, &begin, &end);
                parts_add_integer(u, place.root, place.index, begin, end, false, out);
            }
            return;
        }
        add_change(u, n, out);
        return;
    case DL__N_COMPOUND:
        add_change(u, n, out);
        return;
    case DL__N_CONDITIONAL:
        add_conditional(u, n, out);
        return;
    default:
        if (dl__op_is(n, "=")) {
            add_change(u, n, out);
            return;
        }
        left = n->children[0];
        right = n->children[1];
        if (dl__root_of(u, left)) {
            add_pointer(u, left, out);
            parts_add_integer(u, dl__root_of(u, left), right, right->begin, right->end,
                              dl__op_is(n, "-"), out);
        } else {
            parts_add_integer(u, dl__root_of(u, right), left, left->begin, left->end,
                              false, out);
            add_pointer(u, right, out);
        }
    }
}

/* ---- places ---- */

static void rows_edit_element(struct dl__unit *u, struct dl__node *n,
                              const struct dl__access *p, const char *before,
                              const char *after)
{
    const struct width *width = p->root->shape;
    const struct dl__accessor_kind *kind = width->kinds->wide;
    const char *width_text = dl__format(u, ", dl_w_%s", p->root->name);
    enum certainty certainty = UNCERTAIN;
    struct parts parts = {0};

    add_pointer(u, p->pointer, &parts);
    if (p->index) {
        bool wraps = dl__wraps_at_32_bits(dl__type_of(u, p->index));
        size_t begin, end;

        dl__index_range(u, p->index_host, p->index, &begin, &end);
        if (wraps && dl__is_base(u, p->pointer) && u->nested <= DL__TWICE_DEPTH_MAX &&
            parts_add_sum(u, p->root, p->index, dl__skip(u, end), false, &parts)) {
            kind = width->kinds->wraps;
        } else {
            if (wraps && dl__is_base(u, p->pointer))
                memset(&parts, 0, sizeof parts);
            parts_add_integer(u, p->root, p->index, begin, end, false, &parts);
        }
        if (dl__is_base(u, p->pointer) && !dl__is_of_arrays(p->root))
            certainty = parts_settle(u, p->root, p->index, &parts);
    }
    if (certainty == EXACT)
        kind = width->kinds->plain;
    if (certainty == INSIDE) {
        kind = &dl__row_inside;
        width_text = "";
    }
    dl__replace(u, n->begin, n->end,
                dl__format(u, "%s%s(%s, %s, %s%s DL_ARGS(%s))%s", before,
                           dl__use_element(u, n, p->root, kind)->name, p->root->name,
                           terms_text(u, &parts.rows), terms_text(u, &parts.rest),
                           width_text, p->root->name, after));
}

static void rows_edit_index(struct dl__unit *u, struct dl__node *n, bool converted)
{
    struct parts parts = {0};

    (void)converted;
    add_pointer(u, n, &parts);
    dl__replace(u, n->begin, n->end,
                dl__format(u, "(%s)", parts_text(u, dl__root_of(u, n), &parts)));
}

static void rows_edit_argument(struct dl__unit *u, struct dl__node *n, size_t begin,
                               size_t end)
{
    const char *name = dl__root_of(u, n)->name;
    struct parts parts = {0};

    add_pointer(u, n, &parts);
    dl__replace(u, begin, end,
                dl__format(u, "%s, %s, %s, dl_w_%s DL_ARGS(%s)", name,
                           terms_text(u, &parts.rows), terms_text(u, &parts.rest), name,
                           name));
}

static void rows_edit_base(struct dl__unit *u, struct dl__node *n, size_t begin,
                           size_t end)
{
    const char *name = dl__root_of(u, n)->name;

    dl__replace(u, begin, end,
                dl__format(u, "%s, dl_w_%s DL_ARGS(%s)", name, name, name));
}

static void rows_edit_change(struct dl__unit *u, struct dl__node *n)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n->children[0]));
    const char *name = v ? rest_name(u, v) : "", *row = v ? v->name : "", *rest, *text;
    bool sets = dl__op_is(n, "=");
    struct parts value = {0};

    if (!v)
        dl__refuse(u, n->begin, "this use of a pointer into '%s' is not understood",
                   dl__root_of(u, n)->name);
    row = dl__format(u, "dl_row_%s", row);
    if (dl__is_step(n)) {
        dl__replace(u, n->begin, n->end, dl__format(u, "%s%s", name, n->op));
        return;
    }
    if (sets) {
        if (dl__root_of(u, n->children[1]) != v->root)
            dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                       v->root->name);
        add_pointer(u, n->children[1], &value);
    } else {
        parts_add_integer(u, v->root, n->children[1], n->children[1]->begin,
                          n->children[1]->end, false, &value);
    }
    rest = terms_text(u, &value.rest);
    /* The rows are set first: the rest must not ask for them. */
    if (dl__text_has_word(rest, strlen(rest), row))
        text = dl__format(u, "%s %s %s%s", name, n->op, parts_text(u, v->root, &value),
                          sets ? dl__format(u, ", %s = 0", row) : "");
    else if (!value.rows.count && !sets)
        text = dl__format(u, "%s %s %s", name, n->op, rest);
    else
        text = dl__format(u, "%s %s %s, %s %s %s", row, n->op, terms_text(u, &value.rows),
                          name, n->op, rest);
    dl__replace(u, n->begin, n->end, text);
}

static void rows_edit_variable(struct dl__unit *u, struct dl__node *n)
{
    struct parts parts = {0};

    if (!n->child_count) {
        dl__replace(u, n->name_at, n->name_at, dl__format(u, "dl_row_%s, ", n->name));
        return;
    }
    add_pointer(u, n->children[n->child_count - 1], &parts);
    dl__replace(u, n->name_at, n->children[n->child_count - 1]->end,
                dl__format(u, "dl_row_%s = %s, %s = %s", n->name,
                           terms_text(u, &parts.rows), n->name,
                           terms_text(u, &parts.rest)));
}

/* ---- functions ---- */

static const char *rows_parameters(struct dl__unit *u, const struct dl__root *root)
{
    return dl__format(u, "%s, dl_index dl_w_%s DL_PARAMS(%s)",
                      root->has_index
                          ? dl__format(u, ", dl_index dl_row_%s, dl_index dl_at_%s",
                                       root->name, root->name)
                          : "",
                      root->name, root->name);
}

static const char *rows_base(struct dl__unit *u, const struct dl__root *root,
                             const struct dl__variable *v)
{
    return root->has_index
               ? dl__format(u, ", dl_row_%s, %s, dl_w_%s DL_ARGS(%s)", v->name,
                            rest_name(u, v), root->name, root->name)
               : dl__format(u, ", 0, 0, dl_w_%s DL_ARGS(%s)", root->name, root->name);
}

static const char *rows_entry(struct dl__unit *u, const struct dl__root *root)
{
    const struct width *width = root->shape;
    const char *indices = root->has_index
                              ? dl__format(u, " dl_index dl_row_%s = 0, dl_at_%s = 0;",
                                           root->name, root->name)
                              : "";

    return dl__format(u, " dl_index dl_w_%s = %s;%s", root->name, width->value, indices);
}

/* The parameters of a helper that hold the width in this call. */
static uint64_t rows_shape_parameters(struct dl__unit *u, const struct dl__root *root,
                                      struct dl__node *call, const struct dl__function *f)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < f->parameter_count && i < 64 && i + 1 < call->child_count;
         i++) {
        const struct dl__type *type = f->parameters[i].type;

        if (type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u') &&
            type->bytes >= 4 && dl__is_width(u, root, call->children[i + 1]))
            bits |= (uint64_t)1 << i;
    }
    return bits;
}

/* ---- what is said of it ---- */

static const char *describe(struct dl__arena *arena, const struct dl__root *root)
{
    const struct width *width = root->shape;

    if (dl__width_constant(root))
        return dl__index_describe(arena, root);
    return dl__arena_format(arena, "rows of %s elements of %u bytes", width->written,
                            root->element->bytes);
}

static const char *table_line(struct dl__arena *arena, const struct dl__root *root)
{
    const struct width *width = root->shape;

    return dl__width_constant(root)
               ? ""
               : dl__arena_format(arena, "//DL-width: %s\n", width->dimension);
}

/* All of them, in a form. */
#define DL__ROWS_EDITS                                                                   \
    .edit_element = rows_edit_element, .edit_base = rows_edit_base,                      \
    .edit_index = rows_edit_index, .edit_argument = rows_edit_argument,                  \
    .edit_change = rows_edit_change, .edit_variable = rows_edit_variable,                \
    .parameters = rows_parameters, .base = rows_base, .entry = rows_entry,               \
    .shape_parameters = rows_shape_parameters

static const struct dl__form form_rows = {DL__ROWS_EDITS, .any = &dl__row_wide,
                                          .far = &dl__form_flat, .describe = describe,
                                          .table_line = table_line};

/* Discrete arrays of the program's own, `f[length][arrays]` to ASTA: f[k * length +
 * i] is element i of array k. An index is split as that of rows is, whose width is the
 * length: the row is the array, and the rest is the struct. */

/* How many arrays there are; 0: as many as fit. */
static uint32_t array_count(struct dl__binding *b)
{
    const char *text = b->width;
    struct dl_dimension *parsed = NULL;
    struct dl_launch nothing = {0};
    const char *ignored;
    int64_t count = 0;

    if (!*text)
        return 0;
    if (dl__dimension_parse(text, strlen(text), &parsed, &ignored) != DL_OK ||
        dl_dimension_args(parsed) ||
        dl_dimension_eval(parsed, &nothing, &count, &ignored) != DL_OK || count < 2 ||
        count > DL_FLAT_WIDTH_MAX)
        b->reason = dl__arena_format(
            b->arena,
            "the arrays of '%s' are not counted by a constant from 2 to %d; "
            "`%s[%s][]` takes as many as fill the buffer",
            b->buffer, DL_FLAT_WIDTH_MAX, b->buffer, b->length);
    free(parsed);
    return b->reason ? 0 : (uint32_t)count;
}

bool dl__is_of_arrays(const struct dl__root *root)
{
    return root->form == &form_arrays;
}

static bool arrays_bind(struct dl__binding *b, struct dl__root *root)
{
    struct dl__binding of_length = *b;
    uint32_t count;

    if (!b->length)
        return false;
    of_length.width = b->length;
    if (width_is_sound(&of_length))
        root->shape = width_make(&of_length, &dl__arrays_kinds);
    b->reason = of_length.reason;
    if (b->reason && !dl__resolve_value(b->arena, b->length))
        b->reason = dl__arena_format(
            b->arena,
            "the length of '%s' uses more of the launch than global sizes and arguments",
            b->buffer);
    count = b->reason ? 0 : array_count(b);
    if (b->reason)
        return true;
    width_give_rows(b, count, root);
    return true;
}

static const char *arrays_describe(struct dl__arena *arena, const struct dl__root *root)
{
    const struct width *width = root->shape;
    unsigned count = (unsigned)root->element->fields->type->count;

    return dl__arena_format(arena, "%s of elements of %u bytes, each %s long",
                            count > 1 ? dl__arena_format(arena, "%u arrays", count)
                                      : "arrays, as many as fit,",
                            root->element->fields->type->element->bytes, width->written);
}

static const char *arrays_table_line(struct dl__arena *arena, const struct dl__root *root)
{
    (void)arena;
    (void)root;
    return "";
}

static const struct dl__form form_arrays = {DL__ROWS_EDITS, .any = &dl__array,
                                            .describe = arrays_describe,
                                            .table_line = arrays_table_line};

/* A buffer whose rows are one element each is flat: an element's index is its row's. */
static bool flat_bind(struct dl__binding *b, struct dl__root *root)
{
    struct dl_launch nothing = {.work_dim = 1};
    struct dl_dimension *parsed = NULL;
    const char *ignored;
    int64_t width = 0;
    enum dl_status st;

    if (!b->width || !width_is_sound(b))
        return b->width != NULL;
    if (strstr(b->width, "global_size"))
        return false; /* so it does of sizes */
    st = dl__dimension_parse(b->width, strlen(b->width), &parsed, &ignored);
    if (st == DL_ENOMEM)
        dl__arena_fail(b->arena, st);
    if (st != DL_OK)
        return false; /* arguments: a launch knows it */
    st = dl_dimension_eval(parsed, &nothing, &width, &ignored);
    free(parsed);
    if (st != DL_OK || width < 1 || width > DL_FLAT_WIDTH_MAX) {
        b->reason = dl__arena_format(b->arena, "the width of '%s' is not from 1 to %d",
                                     b->buffer, DL_FLAT_WIDTH_MAX);
        return true;
    }
    /* As text that is a number by now. */
    b->width = dl__arena_format(b->arena, "%lld", (long long)width);
    if (width > 1)
        return false; /* two indices: what is added to a pointer may be whole rows or not
                       */
    root->shape = width_make(b, &dl__rows_kinds);
    width_give_rows(b, (uint32_t)width, root);
    return true;
}

static bool structs_bind(struct dl__binding *b, struct dl__root *root)
{
    const struct dl__type *type = b->type;

    if (b->width)
        return false;
    if (type->kind == DL__T_POINTER &&
        (type->element->kind == DL__T_SCALAR || type->element->kind == DL__T_VECTOR))
        b->reason = dl__arena_format(
            b->arena,
            "'%s' is not a pointer to structs; a flat buffer is %s[rows][width]",
            b->buffer, b->buffer);
    else if (type->kind == DL__T_POINTER && type->element->kind == DL__T_OTHER)
        b->reason = dl__arena_format(b->arena,
                                     "'%s' is not a pointer to structs, nor cast to one "
                                     "type of them wherever it is named",
                                     b->buffer);
    else if (type->kind != DL__T_POINTER || type->element->kind != DL__T_STRUCT)
        b->reason =
            dl__arena_format(b->arena, "'%s' is not a pointer to structs", b->buffer);
    if (b->reason)
        return true;
    root->element = type->element->identity;
    root->element_type = type->element;
    return true;
}

/* ---- The forms of buffers. ---- */

void dl__form_bind(struct dl__binding *binding, struct dl__root *root)
{
    /* True when the annotation asks for this form. Then the root has its element and
     * shape, or the binding its reason why not. The first has the buffer. */
    static const struct {
        bool (*bind)(struct dl__binding *binding, struct dl__root *root);
        const struct dl__form *form;
    } forms[] = {{arrays_bind, &form_arrays},
                 {structs_bind, &dl__form_structs},
                 {flat_bind, &dl__form_flat},
                 {rows_bind, &form_rows}};

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        root->form = forms[i].form;
        if (forms[i].bind(binding, root))
            return;
    }
    binding->reason = "the annotation is not understood";
}
