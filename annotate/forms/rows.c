/* SPDX-License-Identifier: MIT */
/* How buffers are declared and indexed: rows, discrete arrays, structs. What is added to
 * a pointer into rows is a sum, of which some terms are whole rows. */
#include "annotate/forms/forms.h"

#include <string.h>

#include "annotate/annotations/dimension.h"
#include "annotate/text/lex.h"
#include "annotate/tree/resolve.h"
#include "layout/words.h"

struct term {
    const char *text;
    bool negative;
    bool is_index; /* of type dl_index, or a literal: needs no conversion */
    const struct dl__integer *value; /* without the sign; NULL: not known */
};

struct terms {
    struct term *items;
    size_t count, room;
    int64_t constant; /* added to them */
};

/* An index: rows * width + rest. Of a width that the text knows, the rest's constant is
 * from 0 to below it. */
struct parts {
    struct terms rows, rest;
};

/* How much of the split of an index is certain before the kernel runs. */
enum certainty {
    UNCERTAIN,
    EXACT, /* the rows are the index's where the rest is in the row */
    INSIDE /* it is */
};

/* The width of the rows of a flat buffer whose pointers are kept as two indices. */
struct width {
    int64_t constant;      /* 0: only a launch knows it */
    const char *value;     /* a C expression of type long over the kernel's arguments */
    const char *dimension; /* the same in the tables' form */
    const char *written;   /* the same as in the annotation, for messages */
};

static bool parts_add_sum(struct dl__unit *u, const struct dl__root *root,
                          struct dl__node *n, size_t stop, bool negative,
                          struct parts *out);

/* True of a dimension that no launch changes; *out: 0 where it is not from 1 to 2^31. */
static bool is_constant(struct dl__arena *arena, const char *text, int64_t *out)
{
    struct dl_launch nothing = {.work_dim = 1};
    struct dl_dimension *parsed = dl__dimension_parse(arena, text, strlen(text), NULL);
    bool is = parsed && !strstr(text, "global_size") && !dl_dimension_args(parsed);

    if (!is || dl_dimension_eval(parsed, &nothing, out, NULL) != DL_OK || *out < 1 ||
        *out > INT32_MAX)
        *out = 0;
    return is;
}

int64_t dl__width_constant(const struct dl__root *root)
{
    return ((const struct width *)root->shape)->constant;
}

/* The width that is made of arguments; NULL: the reason is in the binding. */
static const struct width *width_make(struct dl__binding *b)
{
    const char *dimension =
        dl__resolve_dimension(b->arena, b->function, b->width, &b->reason);
    struct width *width;

    if (!dimension)
        return NULL;
    width = DL__NEW(b->arena, struct width);
    width->value = dl__resolve_value(b->arena, b->width);
    width->dimension = dimension;
    width->written = b->width;
    is_constant(b->arena, dimension, &width->constant);
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

/* The row type of a flat buffer, whose one field is the array of its elements; of width 0
 * one element, where only a launch knows the width. */
static struct dl__struct *flat_row(struct dl__arena *arena,
                                   const struct dl__type *element, uint32_t width)
{
    struct dl__struct *row = DL__NEW(arena, struct dl__struct);
    struct dl__type *array = DL__NEW(arena, struct dl__type);
    struct dl__type *plain = DL__NEW(arena, struct dl__type);

    /* The pointer says so, not the row. */
    *plain = *element;
    plain->is_volatile = false;
    array->kind = DL__T_ARRAY;
    array->count = width ? width : 1;
    array->bytes = (uint32_t)array->count * element->bytes;
    array->element = plain;
    row->name = element->name;
    row->tag = width ? dl__arena_format(arena, "%s_%u", element->name, width)
                     : dl__arena_format(arena, "%s_row", element->name);
    row->bytes = array->bytes;
    row->fields = DL__NEW(arena, struct dl__field);
    row->fields->name = "";
    row->fields->type = array;
    row->field_count = 1;
    return row;
}

/* Kernels of one text that agree on a row share it. */
static void width_give_rows(struct dl__binding *b, uint32_t width, struct dl__root *root)
{
    struct dl__struct *made = flat_row(b->arena, b->type->element, width),
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

/* NULL: it is made of names, which may mean something else in a helper. */
static const struct dl__integer *width_in(struct dl__scope *scope,
                                          const struct dl__root *root)
{
    const struct width *width = root->shape;

    return width->constant || !scope->unit->new_name
               ? dl__integer_of_dimension(scope, scope->unit->function, width->dimension)
               : NULL;
}

struct dl__scope *dl__rows_scope(struct dl__unit *u)
{
    struct dl__scope *scope = dl__scope_make(u);

    for (size_t i = 0; i < u->root_count; i++)
        if (u->roots[i].shape)
            width_in(scope, &u->roots[i]);
    return scope;
}

static struct dl__scope *scope_of(struct dl__unit *u)
{
    if (!u->scope)
        u->scope = dl__rows_scope(u);
    return u->scope;
}

/* Moves what is a multiple of `by` from the rest to the rows. */
static void move_rows(struct dl__arena *arena, const struct dl__integer *by,
                      struct dl__polynomial *rows, struct dl__polynomial *rest)
{
    struct dl__polynomial quotient = {{0}, {0}}, left = {{0}, {0}};

    if (by && dl__polynomial_divide(arena, rest, &by->sum, false, &quotient, &left) &&
        dl__polynomial_add(arena, rows, &quotient, 1))
        *rest = left;
}

/* The same of a constant, which leaves constants where they are. */
static void move_constant_rows(struct dl__arena *arena, int64_t by,
                               struct dl__polynomial *rows, struct dl__polynomial *rest)
{
    struct dl__polynomial left = {{0}, {0}};

    for (size_t t = 0; t < rest->terms.count; t++) {
        struct dl__polynomial_term term = rest->terms.items[t];
        bool is_row = term.count && term.coefficient % by == 0;

        term.coefficient /= is_row ? by : 1;
        dl__polynomial_add_term(arena, is_row ? rows : &left, term);
    }
    *rest = left;
}

void dl__rows_split(struct dl__scope *scope, const struct dl__root *root,
                    struct dl__polynomial *rows, struct dl__polynomial *rest)
{
    struct dl__arena *arena = scope->unit->tracker->arena;

    if (dl__width_constant(root))
        move_constant_rows(arena, dl__width_constant(root), rows, rest);
    else
        move_rows(arena, width_in(scope, root), rows, rest);
    for (size_t i = 0; scope->unit->new_name && i < 64; i++)
        if (root->shape_parameters >> i & 1)
            move_rows(arena, dl__integer_parameter(scope, i), rows, rest);
}

static bool is_integer(const struct dl__type *type, uint32_t bytes_min)
{
    return dl__is_integer_type(type) && type->bytes >= bytes_min;
}

/* True of the width, or in a helper of a parameter that is given it. */
static bool is_width(struct dl__scope *scope, const struct dl__root *root,
                     const struct dl__polynomial *sum)
{
    const struct dl__integer *width = width_in(scope, root);
    const struct dl__polynomial_term *term = sum->terms.items;

    return (width && dl__polynomial_equal(&width->sum, sum)) ||
           (scope->unit->new_name && sum->terms.count == 1 && term->count == 1 &&
            term->coefficient == 1 && term->atoms[0]->origin->parameter < 64 &&
            root->shape_parameters >> term->atoms[0]->origin->parameter & 1);
}

struct kept {
    struct dl__scope *scope;
    const struct dl__root *root;
};

/* A width in place of what it was converted to, which keeps its value: one from 1 to
 * 2^31. */
static bool add_kept(const void *user, const struct dl__atom *atom, bool whole,
                     struct dl__polynomial *to)
{
    const struct kept *kept = user;
    struct dl__arena *arena = kept->scope->unit->tracker->arena;
    const struct dl__polynomial_term one = {1, {atom}, 1};
    struct dl__polynomial alone = {{0}, {0}}, before = {{0}, {0}};

    (void)whole;
    return dl__polynomial_add_term(arena, &alone, one) &&
           dl__polynomial_unconverted(arena, &alone, &before) &&
           dl__polynomial_add(
               arena, to, is_width(kept->scope, kept->root, &before) ? &before : &alone,
               1);
}

/* True for a conversion under which a sum or product stays that of its parts: what wraps
 * at 2^32 must go on to do so. */
static bool keeps_sums(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *to = dl__type_of(u, n), *from;

    if ((n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT && n->kind != DL__N_CAST) ||
        n->child_count != 1)
        return false;
    from = dl__type_of(u, n->children[0]);
    if (!is_integer(to, 4) || !is_integer(from, 4))
        return false;
    if (to->bytes == from->bytes)
        return from->bytes == 8 || from->scalar == 'i' || to->scalar == 'u';
    return to->bytes > from->bytes && from->scalar == 'i';
}

/* ---- Values as they can be printed: of products and calls of index functions. ---- */

static size_t count_uses(const struct dl__polynomial *sum, const struct dl__atom *atom)
{
    size_t uses = 0;

    for (size_t t = 0; t < sum->terms.count; t++)
        for (size_t a = 0; a < sum->terms.items[t].count; a++)
            uses += sum->terms.items[t].atoms[a] == atom;
    return uses;
}

/* True of a product of what widths are made of, and of a width itself. */
static bool is_of_widths(struct dl__scope *scope, const struct dl__polynomial *sum)
{
    struct dl__unit *u = scope->unit;
    struct dl__polynomial before = {{0}, {0}};
    const struct dl__polynomial_term *term;
    bool is = dl__polynomial_unconverted(u->tracker->arena, sum, &before);

    for (size_t i = 0; i < u->root_count && is; i++)
        if (u->roots[i].shape && is_width(scope, &u->roots[i], &before))
            return true;
    term = before.terms.items;
    is &= before.terms.count < 2;
    for (size_t a = 0; is && before.terms.count && a < term->count; a++) {
        bool found = false;

        for (size_t i = 0; i < u->root_count && !found; i++) {
            const struct dl__root *root = &u->roots[i];
            const struct dl__integer *width = root->shape ? width_in(scope, root) : NULL;

            found = width && count_uses(&width->sum, term->atoms[a]);
        }
        is = found;
    }
    return is;
}

/* True when the text of each atom stands in the function, and no more than names stand
 * twice. */
static bool is_printable(struct dl__unit *u, const struct dl__polynomial *sum)
{
    const struct dl__function *f = u->function;

    for (size_t t = 0; t < sum->terms.count; t++)
        for (size_t a = 0; a < sum->terms.items[t].count; a++) {
            const struct dl__atom *atom = sum->terms.items[t].atoms[a];
            const struct dl__node *n = atom->origin->node;
            size_t number = atom->origin->parameter;

            if (n ? n->begin < f->body_at || n->end > f->body_end ||
                        (n->kind != DL__N_NAME && count_uses(sum, atom) > 1)
                  : number == SIZE_MAX ||
                        !dl__is_declared_once(u, f->parameters[number].name,
                                              f->parameters[number].name_at))
                return false;
        }
    return true;
}

static bool sees_through(struct dl__scope *scope, struct dl__node *n,
                         const struct dl__integer *value)
{
    for (size_t i = 1; n->kind == DL__N_CALL && i < n->child_count; i++)
        if (!dl__is_pure(scope->unit, n->children[i]))
            return false;
    return scope->depth || is_of_widths(scope, &value->sum) ||
           (n->kind == DL__N_CALL && dl__type_of(scope->unit, n)->bytes >= 4 &&
            is_printable(scope->unit, &value->sum));
}

static struct dl__scope *printing_scope(struct dl__unit *u)
{
    if (!u->printing) {
        u->printing = dl__rows_scope(u);
        u->printing->evaluation->sees_through = sees_through;
        u->printing->evaluation->keeps_sums = true;
    }
    return u->printing;
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

/* An expression as it is. */
static void add_text(struct dl__unit *u, struct dl__node *n, size_t begin, size_t end,
                     bool negative, struct terms *out)
{
    struct term term = {.text = dl__rewritten(u, n, begin, end), .negative = negative};

    if (dl__is_integer_type(dl__type_of(u, n)))
        term.value = dl__integer_of(scope_of(u), n);
    terms_add(u, out, term);
}

static bool is_nothing(const struct terms *terms)
{
    return !terms->count && !terms->constant;
}

static const char *terms_text(struct dl__unit *u, const struct terms *terms)
{
    struct dl__buf out = {.arena = u->tracker->arena};
    int64_t constant = terms->constant;

    if (!terms->count)
        return dl__format(u, "%lld", (long long)constant);
    if (terms->count == 1 && !terms->items[0].negative && !constant)
        return terms->items[0].text;
    for (size_t i = 0; i < terms->count; i++) {
        const struct term *t = &terms->items[i];

        if (i)
            dl__buf_puts(&out, t->negative ? " - " : " + ");
        else
            dl__buf_puts(&out, t->negative ? "-" : "");
        dl__buf_printf(&out, t->is_index ? "%s" : "(dl_index)(%s)", t->text);
    }
    if (constant)
        dl__buf_printf(&out, " %c %lld", constant < 0 ? '-' : '+',
                       (long long)(constant < 0 ? -constant : constant));
    return out.items;
}

/* The index as one sum of type dl_index. */
static const char *parts_text(struct dl__unit *u, const struct dl__root *root,
                              const struct parts *parts)
{
    const char *rest = terms_text(u, &parts->rest);

    if (is_nothing(&parts->rows))
        return dl__format(u, "(dl_index)(%s)", rest);
    return dl__format(u, "(dl_index)(%s) * dl_w_%s + (%s)", terms_text(u, &parts->rows),
                      root->name, rest);
}

/* A sum that wraps at 2^32. */
static bool wraps_at_32_bits(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->scalar == 'u' && type->bytes == 4;
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
    const struct dl__integer *value =
        dl__integer_number(u->tracker->arena, terms->constant);

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

/* Moves whole rows out of a rest that lies in one row, and says what is certain then. */
static enum certainty parts_settle(struct dl__unit *u, const struct dl__root *root,
                                   struct dl__node *index, struct parts *parts)
{
    struct dl__arena *arena = u->tracker->arena;
    int64_t width = dl__width_constant(root), row;
    const struct dl__integer *rows = value_of_terms(u, &parts->rows),
                             *rest = value_of_terms(u, &parts->rest),
                             *whole = dl__is_integer_type(dl__type_of(u, index))
                                          ? dl__integer_of(scope_of(u), index)
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
    parts->rows.constant += row;
    parts->rest.constant -= row * width;
    return INSIDE;
}

/* ---- sums ---- */

/* A sum that wraps at 2^32 and is widened then. */
static bool add_wrapping(struct dl__unit *u, const struct dl__root *root,
                         struct dl__node *n, size_t begin, size_t stop, bool negative,
                         struct parts *out)
{
    struct parts inner = {0};
    const char *whole;
    const struct dl__integer *value = dl__integer_of(scope_of(u), n);
    struct term term = {.negative = negative, .is_index = true};

    /* It does not wrap. */
    if (value->is_exact && dl__range_is_within(value->range, exact_range))
        return parts_add_sum(u, root, n, stop, negative, out);
    if (!parts_add_sum(u, root, n, stop, false, &inner))
        return false;
    whole = dl__rewritten(u, n, begin, n->end);
    if (is_nothing(&inner.rows)) {
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

static void add_constant(const struct dl__root *root, int64_t constant, bool negative,
                         struct parts *out)
{
    int64_t width = dl__width_constant(root), rows;

    out->rest.constant += negative ? -constant : constant;
    rows = width < 2 ? 0 : row_of(out->rest.constant, width);
    out->rows.constant += rows;
    out->rest.constant -= rows * width;
}

/* A constant that the function has made of rows: one division, of all its uses. */
static bool add_name(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                     bool negative, struct parts *out)
{
    struct dl__arena *arena = u->tracker->arena;
    struct term term = {.negative = negative};
    int64_t elements, width = dl__width_constant(root);
    const struct dl__type *type = dl__type_of(u, n);
    struct dl__polynomial rows = {{0}, {0}}, rest;
    const struct dl__integer *value;
    struct dl__integer *whole;

    if (n->kind != DL__N_NAME || n->is_constant || width < 2 || !is_integer(type, 4))
        return false;
    value = dl__integer_of(scope_of(u), n);
    rest = value->sum;
    move_constant_rows(arena, width, &rows, &rest);
    elements = rest.terms.count ? rest.terms.items->coefficient : 0;
    /* A subtraction from an unsigned number must leave one. */
    if (!value->is_exact || rest.terms.count > 1 ||
        (rest.terms.count && rest.terms.items->count) ||
        (type->scalar != 'i' && elements < 0))
        return false;
    if (dl__polynomial_is_zero(&rows)) {
        add_constant(root, elements, negative, out);
        return true;
    }
    whole = dl__integer_sum(arena, value, dl__integer_number(arena, elements), -1);
    if (whole) {
        whole->sum = rows;
        whole->range = dl__range_divide(whole->range, width);
        term.value = whole;
    }
    term.text = elements ? dl__format(u, "(%s - (%lld)) / %lld", n->name,
                                      (long long)elements, (long long)width)
                         : dl__format(u, "%s / %lld", n->name, (long long)width);
    terms_add(u, &out->rows, term);
    add_constant(root, elements, negative, out);
    return true;
}

/* An operand, as an implicit conversion or a parameter has it. */
static const char *operand_text(struct dl__unit *u, const struct dl__origin *o)
{
    const char *text = dl__rewritten(u, o->node, o->node->begin, o->node->end);
    const struct dl__type *own = dl__type_of(u, dl__strip(o->node));

    return own->kind == DL__T_SCALAR && own->scalar == o->type->scalar &&
                   own->bytes == o->type->bytes
               ? text
               : dl__format(u, "(%s)(%s)", dl__type_text(o->type->name), text);
}

static const struct dl__integer *value_of_operand(struct dl__unit *u,
                                                  const struct dl__origin *o)
{
    struct dl__scope *scope = scope_of(u);

    return o->node ? dl__integer_converted(scope, dl__integer_of(scope, o->node),
                                           dl__type_of(u, o->node), o->type)
                   : dl__integer_parameter(scope, o->parameter);
}

static void add_monomial(struct dl__unit *u, const struct dl__polynomial_term *m,
                         bool negative, struct terms *out)
{
    struct dl__arena *arena = u->tracker->arena;
    struct term term = {.negative = negative,
                        .is_index = m->count != 1 || m->coefficient != 1,
                        .value = dl__integer_number(arena, m->coefficient)};
    struct dl__buf text = {.arena = arena};

    if (m->coefficient != 1)
        dl__buf_printf(&text, m->coefficient < 0 ? "(%lld)" : "%lld",
                       (long long)m->coefficient);
    for (size_t i = 0; i < m->count; i++) {
        const struct dl__origin *o = m->atoms[i]->origin;
        if (term.value)
            term.value = dl__integer_product(arena, term.value, value_of_operand(u, o));
        term.text =
            o->node ? operand_text(u, o) : u->function->parameters[o->parameter].name;
        dl__buf_printf(&text, "%s(dl_index)(%s)", text.count ? " * " : "", term.text);
    }
    term.text = term.is_index ? text.items : term.text;
    terms_add(u, out, term);
}

/* Adds all terms of a sum but its constant, which it returns. */
static int64_t add_monomials(struct dl__unit *u, const struct dl__polynomial *sum,
                             bool negative, struct terms *out)
{
    int64_t constant = 0;

    for (size_t t = 0; t < sum->terms.count; t++)
        if (sum->terms.items[t].count)
            add_monomial(u, &sum->terms.items[t], negative, out);
        else
            constant += sum->terms.items[t].coefficient;
    return negative ? -constant : constant;
}

/* A term that is whole rows, or a call of an index function: the terms that it returns.
 */
static bool add_value(struct dl__unit *u, const struct dl__root *root, struct dl__node *n,
                      bool negative, struct parts *out)
{
    struct dl__scope *scope = printing_scope(u);
    const struct dl__polynomial *sum = &dl__integer_of(scope, n)->sum;
    const struct kept kept = {scope, root};
    struct dl__polynomial rows = {{0}, {0}}, rest = {{0}, {0}};

    if (!dl__polynomial_replace(u->tracker->arena, sum, add_kept, &kept, &rest))
        return false;
    if (is_width(scope, root, &rest)) {
        rest = rows;
        dl__polynomial_add_term(u->tracker->arena, &rows,
                                (struct dl__polynomial_term){1, {NULL}, 0});
    } else {
        dl__rows_split(scope, root, &rows, &rest);
    }
    if (n->kind == DL__N_CALL ? sum->terms.count == 1 && sum->terms.items->count == 1 &&
                                    sum->terms.items->atoms[0]->origin->node == n
                              : !dl__polynomial_is_zero(&rest) ||
                                    (dl__polynomial_is_zero(&rows) && !dl__is_pure(u, n)))
        return false;
    if (!is_printable(u, &rows) || !is_printable(u, &rest))
        return false;
    out->rows.constant += add_monomials(u, &rows, negative, &out->rows);
    add_constant(root, add_monomials(u, &rest, negative, &out->rest), false, out);
    return true;
}

/* Adds the terms of an expression, after which the text goes on at `stop`; false when the
 * text is not where the tree says it is. */
static bool parts_add_sum(struct dl__unit *u, const struct dl__root *root,
                          struct dl__node *n, size_t stop, bool negative,
                          struct parts *out)
{
    const struct dl__type *type = dl__type_of(u, n);
    int64_t constant;
    size_t inner;

    if (dl__skip(u, n->end) != stop)
        return false;
    if (dl__constant_of(u, n, &constant)) {
        add_constant(root, constant, negative, out);
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
            wraps_at_32_bits(dl__type_of(u, n->children[0])))
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
        if (add_name(u, root, n, negative, out) || add_value(u, root, n, negative, out))
            return true;
    }
    add_text(u, n, n->begin, n->end, negative, &out->rest);
    return true;
}

static void append(struct dl__unit *u, const struct terms *terms, bool negative,
                   struct terms *out)
{
    for (size_t i = 0; i < terms->count; i++) {
        terms->items[i].negative ^= negative;
        terms_add(u, out, terms->items[i]);
    }
}

/* Adds an integer that stands at [begin, end) and is added to a pointer. */
static void parts_add_integer(struct dl__unit *u, const struct dl__root *root,
                              struct dl__node *n, size_t begin, size_t end, bool negative,
                              struct parts *out)
{
    struct parts found = {0};
    size_t stop = dl__skip(u, end);
    bool good = u->nested > DL__TWICE_DEPTH_MAX ? false
                : wraps_at_32_bits(dl__type_of(u, n))
                    ? add_wrapping(u, root, n, begin, stop, false, &found)
                    : parts_add_sum(u, root, n, stop, false, &found);

    if (!good) {
        memset(&found, 0, sizeof found);
        add_text(u, n, begin, end, false, &found.rest);
    }
    append(u, &found.rows, negative, &out->rows);
    append(u, &found.rest, negative, &out->rest);
    out->rows.constant += negative ? -found.rows.constant : found.rows.constant;
    add_constant(root, found.rest.constant, negative, out);
}

static const struct dl__form form_arrays;

static bool rows_bind(struct dl__binding *b, struct dl__root *root)
{
    if (!b->width)
        return false;
    if (width_is_sound(b))
        root->shape = width_make(b);
    if (!b->reason)
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

static void add_choice(struct dl__unit *u, const char *condition, const struct terms *yes,
                       const struct terms *no, struct terms *out)
{
    add_index_term(u, out,
                   dl__format(u, "((%s) ? (dl_index)(%s) : (dl_index)(%s))", condition,
                              terms_text(u, yes), terms_text(u, no)));
}

static void add_conditional(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    const struct dl__root *root = dl__root_of(u, n);
    struct dl__node *c = n->children[0];
    struct parts left = {0}, right = {0};
    const char *condition = dl__rewritten(u, c, c->begin, c->end);

    add_pointer(u, n->children[1], &left);
    add_pointer(u, n->children[2], &right);
    if ((!is_nothing(&left.rows) || !is_nothing(&right.rows)) && dl__is_pure(u, c) &&
        u->nested <= DL__TWICE_DEPTH_MAX) {
        add_choice(u, condition, &left.rows, &right.rows, &out->rows);
        add_choice(u, condition, &left.rest, &right.rest, &out->rest);
        return;
    }
    add_index_term(u, &out->rest,
                   dl__format(u, "((%s) ? %s : %s)", condition,
                              parts_text(u, root, &left), parts_text(u, root, &right)));
}

/* The pointer that a change is of, which may be set from one into the same buffer. */
static struct dl__variable *changed_variable(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *to = dl__strip(n->children[0]);
    struct dl__variable *v = dl__variable_of(u, to);

    if (!v || to->kind != DL__N_NAME)
        dl__refuse(u, n->begin, "this use of a pointer into '%s' is not understood",
                   dl__root_of(u, n)->name);
    if (dl__op_is(n, "=") && dl__root_of(u, n->children[1]) != v->root)
        dl__refuse(u, n->begin, "a pointer into '%s' is set from something else",
                   v->root->name);
    return v;
}

static void add_change(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    struct dl__variable *v = changed_variable(u, n);
    const char *name = rest_name(u, v);
    struct parts value = {0};

    if (dl__op_is(n, "=")) {
        add_pointer(u, n->children[1], &value);
        add_index_term(u, &out->rest,
                       dl__format(u, "(%s = %s, dl_row_%s = 0, %s)", name,
                                  parts_text(u, v->root, &value), v->name, name));
        return;
    }
    add_index_term(u, &out->rows, dl__format(u, "dl_row_%s", v->name));
    if (!dl__is_step(n))
        parts_add_integer(u, v->root, n->children[1], n->children[1]->begin,
                          n->children[1]->end, false, &value);
    add_index_term(u, &out->rest,
                   !dl__is_step(n) ? dl__format(u, "(%s %s %s)", name, n->op,
                                                parts_text(u, v->root, &value))
                   : n->postfix    ? dl__format(u, "%s%s", name, n->op)
                                   : dl__format(u, "%s%s", n->op, name));
}

static void add_pointer_name(struct dl__unit *u, struct dl__node *n, struct parts *out)
{
    const struct dl__variable *v = dl__variable_of(u, n);

    if (dl__is_moved(u, n)) {
        add_index_term(u, &out->rest,
                       dl__format(u, "(dl_index)(%s - %s)",
                                  dl__rewritten(u, n->children[0], n->begin, n->end),
                                  dl__root_of(u, n)->name));
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
    case DL__N_CONDITIONAL:
        add_conditional(u, n, out);
        return;
    default:
        if (dl__op_is(n, "&") && n->kind == DL__N_UNARY) {
            dl__find_place(u, n->children[0], &place);
            add_pointer(u, place.pointer, out);
            if (place.index) {
                dl__bracket_range(u, place.index_host, &begin, &end);
                parts_add_integer(u, place.root, place.index, begin, end, false, out);
            }
            return;
        }
        if (n->kind == DL__N_UNARY || dl__is_assignment(n)) {
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
    const struct dl__row_kinds *kinds =
        dl__is_of_arrays(p->root) ? &dl__kinds.arrays : &dl__kinds.rows;
    const struct dl__accessor_kind *kind = kinds->wide;
    const char *width_text = dl__format(u, ", dl_w_%s", p->root->name);
    enum certainty certainty = UNCERTAIN;
    struct parts parts = {0};

    add_pointer(u, p->pointer, &parts);
    if (p->index) {
        bool wraps = wraps_at_32_bits(dl__type_of(u, p->index));
        size_t begin, end;

        dl__index_range(u, p->index_host, p->index, &begin, &end);
        if (wraps && dl__is_base(u, p->pointer) && u->nested <= DL__TWICE_DEPTH_MAX &&
            parts_add_sum(u, p->root, p->index, dl__skip(u, end), false, &parts)) {
            kind = kinds->wraps;
        } else {
            if (wraps && dl__is_base(u, p->pointer))
                memset(&parts, 0, sizeof parts);
            parts_add_integer(u, p->root, p->index, begin, end, false, &parts);
        }
        if (dl__is_base(u, p->pointer) && !dl__is_of_arrays(p->root))
            certainty = parts_settle(u, p->root, p->index, &parts);
    }
    if (certainty == EXACT)
        kind = kinds->plain;
    if (kind == &dl__kinds.array && width->constant && p->root->element_type->bytes < 4)
        kind = &dl__kinds.array_narrow;
    if (certainty == INSIDE) {
        kind = &dl__kinds.row_inside;
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
    struct dl__variable *v = changed_variable(u, n);
    const char *name = rest_name(u, v), *row = dl__format(u, "dl_row_%s", v->name), *rest,
               *text;
    bool sets = dl__op_is(n, "=");
    struct parts value = {0};

    if (dl__is_step(n)) {
        dl__replace(u, n->begin, n->end, dl__format(u, "%s%s", name, n->op));
        return;
    }
    if (sets)
        add_pointer(u, n->children[1], &value);
    else
        parts_add_integer(u, v->root, n->children[1], n->children[1]->begin,
                          n->children[1]->end, false, &value);
    rest = terms_text(u, &value.rest);
    /* The rows are set first: the rest must not ask for them. */
    if (dl__text_has_word(rest, strlen(rest), row))
        text = dl__format(u, "%s %s %s%s", name, n->op, parts_text(u, v->root, &value),
                          sets ? dl__format(u, ", %s = 0", row) : "");
    else if (is_nothing(&value.rows) && !sets)
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
        struct dl__node *argument = call->children[i + 1];
        struct dl__polynomial sum = {{0}, {0}};

        if (is_integer(f->parameters[i].type, 4) &&
            is_integer(dl__type_of(u, argument), 1) &&
            dl__polynomial_unconverted(
                u->tracker->arena, &dl__integer_of(scope_of(u), argument)->sum, &sum) &&
            is_width(scope_of(u), root, &sum))
            bits |= (uint64_t)1 << i;
    }
    return bits;
}

/* ---- what is said of it ---- */

static const char *describe(struct dl__arena *arena, const struct dl__root *root)
{
    const struct width *width = root->shape;
    int64_t constant = dl__width_constant(root);
    uint32_t bytes = root->element->bytes / (uint32_t)(constant ? constant : 1);

    return dl__arena_format(arena, "rows of %s elements of %u byte%s", width->written,
                            bytes, dl_plural(bytes));
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

static const struct dl__form form_rows = {DL__ROWS_EDITS, .any = &dl__kinds.row_wide,
                                          .far = &dl__form_flat, .describe = describe,
                                          .table_line = table_line};

/* Discrete arrays of the program's own, `f[length][arrays]` to ASTA: f[k * length +
 * i] is element i of array k. An index is split as that of rows is, whose width is the
 * length: the row is the array, and the rest is the struct. */

/* How many arrays there are; 0: as many as fit. */
static uint32_t array_count(struct dl__binding *b)
{
    int64_t count = 0;

    if (*b->width)
        is_constant(b->arena, b->width, &count);
    if (*b->width && (count < 2 || count > DL_FLAT_WIDTH_MAX))
        b->reason = dl__arena_format(
            b->arena,
            "the arrays of '%s' are not counted by a constant from 2 to %d; "
            "`%s[%s][]` takes as many as fill the buffer",
            b->buffer, DL_FLAT_WIDTH_MAX, b->buffer, b->length);
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
        root->shape = width_make(&of_length);
    b->reason = of_length.reason;
    if (b->reason && !dl__resolve_value(b->arena, b->length))
        b->reason = dl__arena_format(
            b->arena,
            "the length of '%s' uses more of the launch than global sizes and arguments",
            b->buffer);
    count = b->reason ? 0 : array_count(b);
    if (!b->reason)
        width_give_rows(b, count, root);
    return true;
}

static const char *arrays_describe(struct dl__arena *arena, const struct dl__root *root)
{
    const struct width *width = root->shape;
    unsigned count = (unsigned)root->element->fields->type->count;

    return dl__arena_format(arena, "%s of elements of %u byte%s, each %s long",
                            count > 1 ? dl__arena_format(arena, "%u arrays", count)
                                      : "arrays, as many as fit,",
                            root->element->fields->type->element->bytes,
                            dl_plural(root->element->fields->type->element->bytes),
                            width->written);
}

static const struct dl__form form_arrays = {DL__ROWS_EDITS, .any = &dl__kinds.array,
                                            .describe = arrays_describe};

/* A buffer whose rows are one element each is flat: an element's index is its row's. */
static bool flat_bind(struct dl__binding *b, struct dl__root *root)
{
    int64_t width;

    if (!b->width || !width_is_sound(b))
        return b->width != NULL;
    if (!is_constant(b->arena, b->width, &width))
        return false; /* of sizes and arguments: a launch knows it */
    if (width < 1 || width > DL_FLAT_WIDTH_MAX) {
        b->reason = dl__arena_format(b->arena, "the width of '%s' is not from 1 to %d",
                                     b->buffer, DL_FLAT_WIDTH_MAX);
        return true;
    }
    /* As text that is a number by now. */
    b->width = dl__arena_format(b->arena, "%lld", (long long)width);
    if (width > 1)
        return false; /* two indices: what is added to a pointer may be whole rows or not
                       */
    root->shape = width_make(b);
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
            "'%s' is not a pointer to structs, so say how wide its rows are: "
            "%s[rows][width]",
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
