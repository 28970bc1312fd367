/* SPDX-License-Identifier: MIT */
/* An index taken apart into the terms of its sum.
 *
 * Terms that are multiples of the width give rows, the others the rest, which may lie
 * outside the row: accessors put that right, so the two parts stand for the same element
 * whatever their values are. Every term is converted to dl_index by itself, where sums
 * keep their value modulo 2^32 or 2^64; what wraps earlier than that is split only for
 * 32-bit indices. */
#include "annotate/forms/sum.h"

#include <string.h>

#include "annotate/accessors/accessor.h"
#include "annotate/forms/index_call.h"
#include "annotate/forms/width.h"
#include "annotate/text/lex.h"
#include "annotate/track/unit.h"

/* ---- text ---- */

/* One line, without comments. */
static const char *flatten_text(struct dl__unit *u, const char *text, size_t bytes)
{
    struct dl__lexer lexer = {.text = text, .bytes = bytes};
    struct dl__buf out = {.arena = u->tracker->arena};
    bool spaced = false;
    struct dl__token t;

    dl__buf_puts(&out, "");
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        spaced |= t.spaced || t.kind == DL__NEWLINE;
        if (t.kind == DL__NEWLINE)
            continue;
        if (spaced && out.count)
            dl__buf_puts(&out, " ");
        dl__buf_add(&out, t.text, t.bytes);
        spaced = false;
    }
    return out.items;
}

/* What [begin, end), of which `n` is the tree, becomes. */
const char *dl__rewritten(struct dl__unit *u, struct dl__node *n, size_t begin,
                          size_t end)
{
    struct dl__edits outer = u->edits;
    struct dl__buf out = {.arena = u->tracker->arena};
    size_t at = begin;
    bool good;

    memset(&u->edits, 0, sizeof u->edits);
    u->nested++;
    dl__walk(u, n);
    u->nested--;
    dl__buf_puts(&out, "");
    good = dl__edits_finish(&u->edits) &&
           dl__edits_print_moved(&u->edits, u->tracker->expanded, begin, end, &out, &at);
    u->edits = outer;
    if (!good)
        dl__refuse(u, n->begin, "this index is not understood");
    return dl__needs_parentheses(n)
               ? dl__format(u, "(%s)", flatten_text(u, out.items, out.count))
               : flatten_text(u, out.items, out.count);
}

void dl__terms_add(struct dl__unit *u, struct dl__terms *terms, struct dl__term term)
{
    DL__PUSH(u->tracker->arena, terms, term);
}

const char *dl__terms_text(struct dl__unit *u, const struct dl__terms *terms)
{
    struct dl__buf out = {.arena = u->tracker->arena};

    if (!terms->count)
        return "0";
    if (terms->count == 1 && !terms->items[0].negative)
        return terms->items[0].text;
    for (size_t i = 0; i < terms->count; i++) {
        const struct dl__term *t = &terms->items[i];

        if (i)
            dl__buf_puts(&out, t->negative ? " - " : " + ");
        else
            dl__buf_puts(&out, t->negative ? "-" : "");
        dl__buf_printf(&out, t->is_index ? "%s" : "(dl_index)(%s)", t->text);
    }
    return out.items;
}

/* The index as one sum of type dl_index. */
const char *dl__parts_text(struct dl__unit *u, const struct dl__root *root,
                           const struct dl__parts *parts)
{
    const char *rest = dl__terms_text(u, &parts->rest);

    if (!parts->rows.count)
        return dl__format(u, "(dl_index)(%s)", rest);
    return dl__format(u, "(dl_index)(%s) * dl_w_%s + (%s)",
                      dl__terms_text(u, &parts->rows), root->name, rest);
}

/* ---- what is certain ---- */

/* What an index of 32 bits tells apart, signed or not. */
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
                                                const struct dl__terms *terms)
{
    const struct dl__integer *value = dl__integer_number(u->tracker->arena, 0);

    for (size_t i = 0; i < terms->count && value; i++) {
        const struct dl__term *t = &terms->items[i];

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

static void add_number(struct dl__unit *u, int64_t number, struct dl__terms *out)
{
    struct dl__term term = {.negative = number < 0, .is_index = true};

    term.text = dl__format(u, "%lld", (long long)(number < 0 ? -number : number));
    dl__terms_add(u, out, term);
}

enum dl__certainty dl__parts_settle(struct dl__unit *u, const struct dl__root *root,
                                    struct dl__node *index, struct dl__parts *parts)
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
        return DL__UNCERTAIN;
    /* Without rows, all that the index is. */
    in_row = dl__polynomial_is_zero(&rows->sum)
                 ? dl__range_meet(rest->range, whole->range)
                 : rest->range;
    if (!is_told_apart(in_row, width))
        return DL__UNCERTAIN;
    if (width < 2)
        return DL__EXACT;
    if (!again || !dl__polynomial_equal(&whole->sum, &again->sum))
        return DL__UNCERTAIN;
    row = row_of(in_row.lo, width);
    if (row != row_of(in_row.hi, width))
        return DL__EXACT;
    if (row) {
        add_number(u, row, &parts->rows);
        add_number(u, -row * width, &parts->rest);
    }
    return DL__INSIDE;
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
                        bool negative, struct dl__terms *out)
{
    struct dl__buf text = {.arena = u->tracker->arena};
    struct dl__term term = {
        .negative = negative, .is_index = true, .value = value_of_product(u, product)};
    int64_t constant = product->constant;

    if (product->count == 1 && constant == 1) {
        struct dl__node *n = product->items[0];

        term.text = dl__rewritten(u, n, n->begin, n->end);
        term.is_index = false;
        dl__terms_add(u, out, term);
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
    dl__terms_add(u, out, term);
}

/* A sum that wraps at 2^32 and is widened then. */
static bool add_wrapping(struct dl__unit *u, const struct dl__root *root,
                         struct dl__node *n, size_t begin, size_t stop, bool negative,
                         struct dl__parts *out)
{
    struct dl__parts inner = {0};
    const char *whole;
    const struct dl__integer *value = dl__integer_of(dl__scope_of(u), n);
    struct dl__term term = {.negative = negative, .is_index = true};

    /* It does not wrap. */
    if (value->is_exact && dl__range_is_within(value->range, exact_range))
        return dl__parts_add_sum(u, root, n, stop, negative, out);
    if (!dl__parts_add_sum(u, root, n, stop, false, &inner))
        return false;
    whole = dl__rewritten(u, n, begin, n->end);
    if (!inner.rows.count) {
        term.text = whole;
        term.is_index = false;
        term.value = value;
        dl__terms_add(u, &out->rest, term);
        return true;
    }
    term.text = dl__format(u, "DL_PARTS(%s, 0)", dl__terms_text(u, &inner.rows));
    dl__terms_add(u, &out->rows, term);
    term.text = dl__format(u, "DL_PARTS((dl_index)(%s), (dl_index)(%s))",
                           dl__terms_text(u, &inner.rest), whole);
    dl__terms_add(u, &out->rest, term);
    return true;
}

/* Adds the whole rows of a constant; what is left of it lies in a row. */
static int64_t take_constant_rows(struct dl__unit *u, const struct dl__root *root,
                                  int64_t constant, bool negative, struct dl__parts *out)
{
    int64_t width = dl__width_constant(root), rows;
    struct dl__term term = {.is_index = true};

    if (width < 2)
        return constant;
    /* What is taken away must leave a rest in the row, too. */
    rows = constant / width - (negative ? 0 : constant % width < 0);
    rows += negative && constant % width > 0;
    if (rows) {
        term.negative = negative != (rows < 0);
        term.text = dl__format(u, "%lld", (long long)(rows < 0 ? -rows : rows));
        term.value = dl__integer_number(u->tracker->arena, rows < 0 ? -rows : rows);
        dl__terms_add(u, &out->rows, term);
    }
    return constant - rows * width;
}

static void add_constant(struct dl__unit *u, const struct dl__root *root,
                         int64_t constant, bool negative, struct dl__parts *out)
{
    struct dl__term term = {.negative = negative, .is_index = true};

    constant = take_constant_rows(u, root, constant, negative, out);
    if (!constant)
        return;
    term.text = dl__format(u, constant < 0 ? "(%lld)" : "%lld", (long long)constant);
    term.value = dl__integer_number(u->tracker->arena, constant);
    dl__terms_add(u, &out->rest, term);
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
                     bool negative, struct dl__parts *out)
{
    struct dl__term term = {.negative = negative};
    int64_t elements, width = dl__width_constant(root);

    if (!dl__is_rows(u, root, n, &elements))
        return false;
    term.value = rows_of_value(u, dl__integer_of(dl__scope_of(u), n), elements, width);
    if (term.value && dl__polynomial_is_zero(&term.value->sum)) {
        add_constant(u, root, elements, negative, out);
        return true;
    }
    term.text = elements ? dl__format(u, "(%s - (%lld)) / %lld", n->name,
                                      (long long)elements, (long long)width)
                         : dl__format(u, "%s / %lld", n->name, (long long)width);
    dl__terms_add(u, &out->rows, term);
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
                         struct dl__terms *out)
{
    struct dl__term term = {.negative = negative,
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
    dl__terms_add(u, out, term);
}

/* A call of an index function: the terms that it returns. */
static bool add_call(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                     bool negative, struct dl__parts *out)
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
bool dl__parts_add_sum(struct dl__unit *u, const struct dl__root *root,
                       struct dl__node *n, size_t stop, bool negative,
                       struct dl__parts *out)
{
    const struct dl__type *type = dl__type_of(u, n);
    struct dl__term term = {.negative = negative};
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
        if (dl__keeps_sums(u, n)) {
            inner = n->kind == DL__N_PAREN ? dl__skip(u, n->children[0]->end) : stop;
            return (n->kind != DL__N_PAREN || dl__text_at(u, inner) == ')') &&
                   dl__parts_add_sum(u, root, n->children[0], inner, negative, out);
        }
        if ((n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) && n->child_count == 1 &&
            dl__wraps_at_32_bits(dl__type_of(u, n->children[0])))
            return add_wrapping(u, root, n->children[0], n->begin, stop, negative, out);
        if (n->kind == DL__N_UNARY && dl__op_is(n, "-"))
            return dl__parts_add_sum(u, root, n->children[0], stop, !negative, out);
        if (n->kind == DL__N_BINARY && n->child_count == 2 &&
            (dl__op_is(n, "+") || dl__op_is(n, "-"))) {
            inner = dl__skip(u, n->children[0]->end);
            return dl__text_at(u, inner) == n->op[0] &&
                   dl__parts_add_sum(u, root, n->children[0], inner, negative, out) &&
                   dl__parts_add_sum(u, root, n->children[1], stop,
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
    dl__terms_add(u, &out->rest, term);
    return true;
}

/* An integer that stands at [begin, end) and is added to a pointer. */
void dl__parts_add_integer(struct dl__unit *u, const struct dl__root *root,
                           struct dl__node *n, size_t begin, size_t end, bool negative,
                           struct dl__parts *out)
{
    struct dl__parts found = {0};
    size_t stop = dl__skip(u, end);
    bool good = u->nested > DL__TWICE_DEPTH_MAX ? false
                : dl__wraps_at_32_bits(dl__type_of(u, n))
                    ? add_wrapping(u, root, n, begin, stop, false, &found)
                    : dl__parts_add_sum(u, root, n, stop, false, &found);

    if (!good) {
        struct dl__term term = {.text = dl__rewritten(u, n, begin, end)};

        if (dl__is_integer_type(dl__type_of(u, n)))
            term.value = dl__integer_of(dl__scope_of(u), n);
        memset(&found, 0, sizeof found);
        dl__terms_add(u, &found.rest, term);
    }
    for (size_t i = 0; i < found.rows.count; i++) {
        found.rows.items[i].negative ^= negative;
        dl__terms_add(u, &out->rows, found.rows.items[i]);
    }
    for (size_t i = 0; i < found.rest.count; i++) {
        found.rest.items[i].negative ^= negative;
        dl__terms_add(u, &out->rest, found.rest.items[i]);
    }
}
