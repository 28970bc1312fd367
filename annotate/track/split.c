/* Flat buffers whose width only a launch knows: an index split into rows and a rest.
 *
 * An index is taken apart into the terms of its sum. Terms that are multiples of the width give
 * rows, the others the rest, which may lie outside the row: accessors put that right, so the two
 * parts stand for the same element whatever their values are. Every term is converted to
 * dl_index by itself, where sums keep their value modulo 2^32 or 2^64; what wraps earlier than
 * that is split only for 32-bit indices.
 *
 * A pointer is kept as two indices all its life: dl_row_p rows and p elements. */
#include "annotate/track/unit.h"

#include <string.h>

#include "annotate/text/lex.h"

/* What is written twice must not be, once it is nested: texts would double with each level. */
enum { TWICE_DEPTH_MAX = 4 };

struct term {
    const char *text;
    bool negative;
    bool is_index; /* of type dl_index, or a literal: needs no conversion */
};

struct terms {
    struct term *items;
    size_t count, room;
};

/* An index: rows * width + rest. */
struct parts {
    struct terms rows, rest;
};

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
static const char *rewritten(struct dl__unit *u, struct dl__node *n, size_t begin,
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
    while (n->kind == DL__N_IMPLICIT && n->child_count == 1)
        n = n->children[0];
    return n->kind == DL__N_BINARY && (dl__op_is(n, ",") || !n->op[0])
               ? dl__format(u, "(%s)", flatten_text(u, out.items, out.count))
               : flatten_text(u, out.items, out.count);
}

static void add_term(struct dl__unit *u, struct terms *terms, struct term term)
{
    DL__PUSH(u->tracker->arena, terms, term);
}

static const char *sum_text(struct dl__unit *u, const struct terms *terms)
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
static const char *whole_text(struct dl__unit *u, const struct dl__root *root,
                              const struct parts *parts)
{
    const char *rest = sum_text(u, &parts->rest);

    if (!parts->rows.count)
        return dl__format(u, "(dl_index)(%s)", rest);
    return dl__format(u, "(dl_index)(%s) * dl_w_%s + (%s)", sum_text(u, &parts->rows),
                      root->name, rest);
}

/* ---- sums ---- */

static void add_product(struct dl__unit *u, const struct dl__product *product,
                        bool negative, struct terms *out)
{
    struct dl__buf text = {.arena = u->tracker->arena};
    struct term term = {.negative = negative, .is_index = true};
    int64_t constant = product->constant;

    if (product->count == 1 && constant == 1) {
        struct dl__node *n = product->items[0];

        term.text = rewritten(u, n, n->begin, n->end);
        term.is_index = false;
        add_term(u, out, term);
        return;
    }
    if (constant != 1 || !product->count)
        dl__buf_printf(&text, constant < 0 ? "(%lld)" : "%lld", (long long)constant);
    for (size_t i = 0; i < product->count; i++) {
        struct dl__node *n = product->items[i];

        dl__buf_printf(&text, "%s(dl_index)(%s)", text.count ? " * " : "",
                       rewritten(u, n, n->begin, n->end));
    }
    term.text = text.items;
    add_term(u, out, term);
}

static bool add_sum(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                    size_t stop, bool negative, struct parts *out);

static bool wraps_at_32_bits(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->scalar == 'u' && type->bytes == 4;
}

static bool is_int(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->scalar == 'i' && type->bytes <= 4;
}

/* A sum that wraps at 2^32 and is widened then. */
static bool add_wrapping(struct dl__unit *u, const struct dl__root *root,
                         struct dl__node *n, size_t begin, size_t stop, bool negative,
                         struct parts *out)
{
    struct parts inner = {0};
    const char *whole;
    struct term term = {.negative = negative, .is_index = true};

    if (!add_sum(u, root, n, stop, false, &inner))
        return false;
    whole = rewritten(u, n, begin, n->end);
    if (!inner.rows.count) {
        term.text = whole;
        term.is_index = false;
        add_term(u, &out->rest, term);
        return true;
    }
    term.text = dl__format(u, "DL_PARTS(%s, 0)", sum_text(u, &inner.rows));
    add_term(u, &out->rows, term);
    term.text = dl__format(u, "DL_PARTS((dl_index)(%s), (dl_index)(%s))",
                           sum_text(u, &inner.rest), whole);
    add_term(u, &out->rest, term);
    return true;
}

/* Adds the terms of an expression, behind which the text goes on at `stop`; false when the text
 * is not where the tree says it is. */
static bool add_sum(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                    size_t stop, bool negative, struct parts *out)
{
    const struct dl__type *type = dl__type_of(u, n);
    struct term term = {.negative = negative};
    struct dl__product product;
    int64_t constant;
    size_t inner;

    if (dl__skip(u, n->end) != stop)
        return false;
    if (dl__constant_of(u, n, &constant)) {
        if (!constant)
            return true;
        term.text = dl__format(u, constant < 0 ? "(%lld)" : "%lld", (long long)constant);
        term.is_index = true;
        add_term(u, &out->rest, term);
        return true;
    }
    if (type->kind == DL__T_SCALAR && (type->scalar == 'i' || type->scalar == 'u') &&
        type->bytes >= 4) {
        if (dl__keeps_sums(u, n)) {
            inner = n->kind == DL__N_PAREN ? dl__skip(u, n->children[0]->end) : stop;
            return (n->kind != DL__N_PAREN || dl__text_at(u, inner) == ')') &&
                   add_sum(u, root, n->children[0], inner, negative, out);
        }
        if ((n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) && n->child_count == 1 &&
            wraps_at_32_bits(dl__type_of(u, n->children[0])))
            return add_wrapping(u, root, n->children[0], n->begin, stop, negative, out);
        if (n->kind == DL__N_UNARY && dl__op_is(n, "-"))
            return add_sum(u, root, n->children[0], stop, !negative, out);
        if (n->kind == DL__N_BINARY && n->child_count == 2 &&
            (dl__op_is(n, "+") || dl__op_is(n, "-"))) {
            inner = dl__skip(u, n->children[0]->end);
            return dl__text_at(u, inner) == n->op[0] &&
                   add_sum(u, root, n->children[0], inner, negative, out) &&
                   add_sum(u, root, n->children[1], stop, negative != dl__op_is(n, "-"),
                           out);
        }
        if (dl__take_rows(u, root, n, stop, &product)) {
            add_product(u, &product, negative, &out->rows);
            return true;
        }
    }
    term.text = rewritten(u, n, n->begin, n->end);
    add_term(u, &out->rest, term);
    return true;
}

/* An integer that stands at [begin, end) and is added to a pointer. */
static void add_integer(struct dl__unit *u, const struct dl__root *root,
                        struct dl__node *n, size_t begin, size_t end, bool negative,
                        struct parts *out)
{
    struct parts found = {0};
    size_t stop = dl__skip(u, end);
    bool good = u->nested > TWICE_DEPTH_MAX ? false
                : wraps_at_32_bits(dl__type_of(u, n))
                    ? add_wrapping(u, root, n, begin, stop, false, &found)
                    : add_sum(u, root, n, stop, false, &found);

    if (!good) {
        struct term term = {.text = rewritten(u, n, begin, end)};

        memset(&found, 0, sizeof found);
        add_term(u, &found.rest, term);
    }
    for (size_t i = 0; i < found.rows.count; i++) {
        found.rows.items[i].negative ^= negative;
        add_term(u, &out->rows, found.rows.items[i]);
    }
    for (size_t i = 0; i < found.rest.count; i++) {
        found.rest.items[i].negative ^= negative;
        add_term(u, &out->rest, found.rest.items[i]);
    }
}

/* ---- pointers ---- */

/* True when an expression may be evaluated twice. */
static bool is_pure(const struct dl__node *n)
{
    if (dl__is_assignment(n) || dl__is_step(n) || n->kind == DL__N_CALL ||
        n->kind == DL__N_VALUE_BLOCK ||
        ((n->kind == DL__N_UNARY || n->kind == DL__N_BINARY) && !n->op[0]))
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_pure(n->children[i]))
            return false;
    return true;
}

static const char *rest_name(struct dl__unit *u, const struct dl__variable *v)
{
    return v->kind == DL__INDEX ? v->name : dl__format(u, "dl_at_%s", v->name);
}

static void add_index_term(struct dl__unit *u, struct terms *terms, const char *text)
{
    struct term term = {.text = text, .is_index = true};

    add_term(u, terms, term);
}

static void add_pointer(struct dl__unit *u, struct dl__node *n, struct parts *out);

static void add_conditional(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    const struct dl__root *root = dl__root_of(u, n);
    struct dl__node *c = n->children[0];
    struct parts left = {0}, right = {0};
    const char *condition = rewritten(u, c, c->begin, c->end);

    add_pointer(u, n->children[1], &left);
    add_pointer(u, n->children[2], &right);
    if ((left.rows.count || right.rows.count) && is_pure(c) &&
        u->nested <= TWICE_DEPTH_MAX) {
        add_index_term(u, &out->rows,
                       dl__format(u, "((%s) ? (dl_index)(%s) : (dl_index)(%s))",
                                  condition, sum_text(u, &left.rows),
                                  sum_text(u, &right.rows)));
        add_index_term(u, &out->rest,
                       dl__format(u, "((%s) ? (dl_index)(%s) : (dl_index)(%s))",
                                  condition, sum_text(u, &left.rest),
                                  sum_text(u, &right.rest)));
        return;
    }
    add_index_term(u, &out->rest,
                   dl__format(u, "((%s) ? %s : %s)", condition,
                              whole_text(u, root, &left), whole_text(u, root, &right)));
}

static void add_change(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    struct dl__variable *v = dl__variable_of(u, dl__strip(n->children[0]));
    const char *name = v ? rest_name(u, v) : "";
    struct parts value = {0};

    if (!v)
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

        add_integer(u, v->root, by, by->begin, by->end, false, &value);
        add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
        add_index_term(
            u, &out->rest,
            dl__format(u, "(%s %s %s)", name, n->op, whole_text(u, v->root, &value)));
        return;
    }
    if (dl__root_of(u, n->children[1]) != v->root)
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   v->root->name);
    add_pointer(u, n->children[1], &value);
    add_index_term(u, &out->rest,
                   dl__format(u, "(%s = %s, dl_row_%s = 0, %s)", name,
                              whole_text(u, v->root, &value), v->name, name));
}

/* Adds the two indices of a pointer into a buffer. */
static void add_pointer(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    struct dl__node *left, *right;
    struct dl__variable *v;
    struct dl__access place;
    size_t begin, end;

    switch (n->kind) {
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        add_pointer(u, n->children[0], out);
        return;
    case DL__N_NAME:
        v = dl__variable_of(u, n);
        if (v->kind == DL__ROOT && !v->root->has_index)
            return;
        add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
        add_index_term(u, &out->rest, rest_name(u, v));
        return;
    case DL__N_UNARY:
        if (dl__op_is(n, "&")) {
            dl__find_place(u, n->children[0], &place);
            add_pointer(u, place.pointer, out);
            if (place.index) {
                dl__bracket_range(u, place.index_host, &begin, &end);
                add_integer(u, place.root, place.index, begin, end, false, out);
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
            add_integer(u, dl__root_of(u, left), right, right->begin, right->end,
                        dl__op_is(n, "-"), out);
        } else {
            add_integer(u, dl__root_of(u, right), left, left->begin, left->end, false,
                        out);
            add_pointer(u, right, out);
        }
    }
}

/* ---- edits ---- */

void dl__edit_row(struct dl__unit *u, struct dl__node *n, const struct dl__access *p,
                  bool address)
{
    enum dl__accessor_kind kind = DL__ROW_WIDE;
    struct parts parts = {0};
    const char *name;

    add_pointer(u, p->pointer, &parts);
    if (p->index) {
        bool wraps = wraps_at_32_bits(dl__type_of(u, p->index));
        size_t begin, end;

        dl__bracket_range(u, p->index_host, &begin, &end);
        if (wraps && dl__is_base(u, p->pointer) && u->nested <= TWICE_DEPTH_MAX &&
            add_sum(u, p->root, p->index, dl__skip(u, end), false, &parts)) {
            kind = DL__ROW_UINT;
        } else {
            if (wraps && dl__is_base(u, p->pointer))
                memset(&parts, 0, sizeof parts);
            add_integer(u, p->root, p->index, begin, end, false, &parts);
            if (dl__is_base(u, p->pointer) && is_int(dl__type_of(u, p->index)))
                kind = DL__ROW;
        }
    }
    name = dl__flat_name(u, n, p, kind);
    dl__replace(u, n->begin, n->end,
                dl__format(u, "%s%s(%s, %s, %s, dl_w_%s DL_ARGS(%s)%s",
                           address ? "" : "(*", name, p->root->name,
                           sum_text(u, &parts.rows), sum_text(u, &parts.rest),
                           p->root->name, p->root->name, address ? ")" : "))"));
}

void dl__edit_row_index(struct dl__unit *u, struct dl__node *n)
{
    struct parts parts = {0};

    add_pointer(u, n, &parts);
    dl__replace(u, n->begin, n->end,
                dl__format(u, "(%s)", whole_text(u, dl__root_of(u, n), &parts)));
}

void dl__edit_row_pair(struct dl__unit *u, struct dl__node *n)
{
    struct parts parts = {0};

    add_pointer(u, n, &parts);
    dl__replace(
        u, n->begin, n->end,
        dl__format(u, "%s, %s", sum_text(u, &parts.rows), sum_text(u, &parts.rest)));
}

/* True when `name` is a word of the text. */
static bool mentions(const char *text, const char *name)
{
    struct dl__lexer lexer = {.text = text, .bytes = strlen(text)};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (t.kind == DL__NAME && dl__token_is(&t, name))
            return true;
    return false;
}

void dl__edit_row_change(struct dl__unit *u, struct dl__node *n)
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
        add_integer(u, v->root, n->children[1], n->children[1]->begin,
                    n->children[1]->end, false, &value);
    }
    rest = sum_text(u, &value.rest);
    /* The rows are set first: the rest must not ask for them. */
    if (mentions(rest, row))
        text = dl__format(u, "%s %s %s%s", name, n->op, whole_text(u, v->root, &value),
                          sets ? dl__format(u, ", %s = 0", row) : "");
    else if (!value.rows.count && !sets)
        text = dl__format(u, "%s %s %s", name, n->op, rest);
    else
        text = dl__format(u, "%s %s %s, %s %s %s", row, n->op, sum_text(u, &value.rows),
                          name, n->op, rest);
    dl__replace(u, n->begin, n->end, text);
}

void dl__edit_row_variable(struct dl__unit *u, struct dl__node *n)
{
    struct parts parts = {0};

    if (!n->child_count) {
        dl__replace(u, n->name_at, n->name_at, dl__format(u, "dl_row_%s, ", n->name));
        return;
    }
    add_pointer(u, n->children[n->child_count - 1], &parts);
    dl__replace(u, n->name_at, n->children[n->child_count - 1]->end,
                dl__format(u, "dl_row_%s = %s, %s = %s", n->name,
                           sum_text(u, &parts.rows), n->name, sum_text(u, &parts.rest)));
}
