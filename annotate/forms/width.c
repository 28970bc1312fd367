/* SPDX-License-Identifier: MIT */
/* The width of a flat buffer's rows, where only a launch knows it: which expressions of
 * the kernel hold it, or a multiple of it.
 *
 * What is taken for the width must have its value wherever control passes: it is made of
 * arguments that the function never changes, or is a variable that starts as such an
 * expression and never changes either. */
#include "annotate/forms/width.h"

#include <string.h>

#include "annotate/tree/resolve.h"
#include "annotate/text/lex.h"
#include "annotate/track/unit.h"
#include "annotate/values/integer.h"

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

static void add_factors(struct dl__arena *arena, struct slice s, struct dl__width *out)
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
    const struct dl__width *width = root->shape;

    return width->factors.count ? 0 : width->constant;
}

const struct dl__width *dl__width_make(struct dl__binding *b,
                                       const struct dl__row_kinds *kinds)
{
    const char *dimension =
        dl__resolve_dimension(b->arena, b->ast, b->function, b->width, &b->reason);
    struct dl__width *width;

    if (!dimension)
        return NULL;
    width = DL__NEW(b->arena, struct dl__width);
    width->value = dl__resolve_value(b->arena, b->width);
    width->dimension = dimension;
    width->written = b->width;
    width->constant = 1;
    width->kinds = kinds;
    add_factors(b->arena, trim((struct slice){b->width, strlen(b->width)}), width);
    return width;
}

bool dl__width_is_sound(struct dl__binding *b)
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
void dl__width_give_rows(struct dl__binding *b, uint32_t width, struct dl__root *root)
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
bool dl__keeps_sums(struct dl__unit *u, struct dl__node *n)
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
    if (dl__keeps_sums(u, n)) {
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

/* Takes the width out of a product. */
static bool take_width(struct dl__unit *u, const struct dl__root *root,
                       struct dl__product *product, unsigned depth)
{
    const struct dl__width *width = root->shape;
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

bool dl__is_rows(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
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
