/* SPDX-License-Identifier: MIT */
/* Pointers into buffers: which struct, or which row and which element of it. */
#include "annotate/facts/frame.h"
#include "annotate/forms/index_call.h"
#include "annotate/forms/width.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"

enum { NAMES_MAX = 64 }; /* that one offset is followed through */

int64_t dl__row_elements(const struct dl__root *root)
{
    if (dl__is_of_structs(root))
        return 1;
    return root->shape ? dl__width_constant(root)
                       : (int64_t)root->element->fields->type->count;
}

/* ---- pairs ---- */

struct dl__pair dl__pair_constant(int64_t rows)
{
    return (struct dl__pair){dl__value_constant(rows), dl__value_constant(0)};
}

struct dl__pair dl__pair_add(struct dl__pair a, struct dl__pair b)
{
    return (struct dl__pair){dl__value_add(a.rows, b.rows),
                             dl__value_add(a.rest, b.rest)};
}

struct dl__pair dl__pair_join(struct dl__pair a, struct dl__pair b, bool divergent)
{
    return (struct dl__pair){dl__value_join(a.rows, b.rows, divergent),
                             dl__value_join(a.rest, b.rest, divergent)};
}

bool dl__pair_equals(struct dl__pair a, struct dl__pair b)
{
    return dl__value_equals(a.rows, b.rows) && dl__value_equals(a.rest, b.rest);
}

static struct dl__pair negated(struct dl__pair p)
{
    return (struct dl__pair){dl__value_negate(p.rows), dl__value_negate(p.rest)};
}

struct dl__value dl__pair_struct(const struct dl__root *root, struct dl__pair p,
                                 struct dl__value *inside)
{
    int64_t width = dl__row_elements(root), carry;
    struct dl__value rows = p.rows, by;

    *inside = dl__value_nothing();
    if (dl__is_of_arrays(root)) {
        *inside = dl__value_is_constant(p.rows) ? p.rows : *inside;
        return p.rest;
    }
    if (width == 1 && dl__is_of_structs(root))
        return rows;
    if (dl__value_is_constant(p.rest)) {
        carry = width ? p.rest.rest / width - (p.rest.rest % width < 0) : 0;
        *inside = dl__value_constant(p.rest.rest - carry * width);
        return dl__value_add(rows, dl__value_constant(carry));
    }
    if (p.rest.kind == DL__V_NOTHING || p.rest.kind == DL__V_UNIFORM)
        return dl__value_mix(rows, p.rest).kind == DL__V_NOTHING ? dl__value_nothing()
                                                                 : rows;
    by = width ? dl__value_constant(width) : dl__value_of(DL__V_UNIFORM);
    /* Without rows, all of it decides; else it is taken to stay in its row. */
    if (dl__value_is_constant(rows))
        return dl__value_divide(p.rest, by);
    if (rows.kind != DL__V_LINEAR || p.rest.kind == DL__V_GATHER)
        return rows;
    return dl__value_add(rows, dl__value_divide(p.rest, by));
}

/* ---- offsets ---- */

/* The multiple of the width in a product of it. */
static struct dl__value product_of(struct dl__frame *f, const struct dl__product *product)
{
    struct dl__value v = dl__value_constant(product->constant);

    for (size_t i = 0; i < product->count; i++)
        v = dl__value_multiply(v, dl__evaluate(f, product->items[i]));
    return v;
}

struct dl__pair dl__pair_of_number(const struct dl__root *root, struct dl__value v)
{
    int64_t width = dl__row_elements(root);
    struct dl__pair p = {dl__value_constant(0), v};

    if (v.kind == DL__V_NOTHING)
        p.rows = v;
    if (width && v.modulus % width == 0 && v.kind != DL__V_NOTHING) {
        int64_t rest = v.rest % width;

        p.rest = dl__value_constant(rest);
        p.rows = dl__value_is_constant(v)
                     ? dl__value_constant((v.rest - rest) / width)
                     : dl__value_divide(dl__value_add(v, dl__value_constant(-rest)),
                                        dl__value_constant(width));
        if (v.kind >= DL__V_UNKNOWN)
            p.rows = dl__value_of(v.kind);
    }
    return p;
}

/* A variable that is what it is declared as. */
static struct dl__node *definition_of(struct dl__frame *f, const struct dl__node *n)
{
    struct dl__outline_variable *v = n->kind == DL__N_NAME && n->declared_at != SIZE_MAX
                                         ? dl__outline_find(f->outline, n->declared_at)
                                         : NULL;

    return v && v->declaration && !v->tracked && v->changes && !v->changes->next &&
                   v->changes->kind == DL__C_SET && v->changes->at == v->declaration
               ? v->changes->source
               : NULL;
}

static struct dl__pair offset_of(struct dl__frame *f, const struct dl__root *root,
                                 struct dl__node *n, unsigned *names);
static struct dl__pair offset_of_constant(struct dl__frame *f,
                                          const struct dl__root *root, struct dl__node *n,
                                          unsigned *names);

/* A constant times arguments of an index function. */
static struct dl__pair offset_of_term(struct dl__frame *f, const struct dl__root *root,
                                      const struct dl__polynomial_term *term,
                                      unsigned *names)
{
    int64_t width = dl__row_elements(root);
    bool is_rows = width > 1 && term->count && term->coefficient % width == 0;
    struct dl__value v =
        dl__value_constant(is_rows ? term->coefficient / width : term->coefficient);

    if (term->count == 1 && term->coefficient == 1 && *names < NAMES_MAX) {
        ++*names;
        return width ? offset_of_constant(f, root, term->atoms[0]->origin->node, names)
                     : offset_of(f, root, term->atoms[0]->origin->node, names);
    }
    for (size_t a = 0; a < term->count; a++) {
        struct dl__node *argument = term->atoms[a]->origin->node;

        if (!width && !is_rows && dl__is_width(f->outline->unit, root, argument))
            is_rows = true;
        else
            v = dl__value_multiply(v, dl__evaluate(f, argument));
    }
    return is_rows ? (struct dl__pair){v, dl__value_constant(0)}
                   : dl__pair_of_number(root, v);
}

/* The terms that an index function returns. */
static bool offset_of_call(struct dl__frame *f, const struct dl__root *root,
                           struct dl__node *n, unsigned *names, struct dl__pair *out)
{
    struct dl__index_call call;

    if (!dl__is_index_call(f->outline->unit, n, &call))
        return false;
    *out = dl__pair_constant(0);
    for (size_t t = 0; t < call.sum->terms.count; t++)
        *out =
            dl__pair_add(*out, offset_of_term(f, root, &call.sum->terms.items[t], names));
    return true;
}

static struct dl__pair offset_of(struct dl__frame *f, const struct dl__root *root,
                                 struct dl__node *n, unsigned *names)
{
    struct dl__product product;
    struct dl__pair pair;
    struct dl__node *definition;

    if (dl__take_rows(f->outline->unit, root, n, SIZE_MAX, &product))
        return (struct dl__pair){product_of(f, &product), dl__value_constant(0)};
    if ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) &&
        n->child_count == 1)
        return offset_of(f, root, n->children[0], names);
    if (n->kind == DL__N_UNARY && dl__op_is(n, "-") && n->child_count)
        return negated(offset_of(f, root, n->children[0], names));
    if (n->kind == DL__N_BINARY && n->child_count == 2 &&
        (dl__op_is(n, "+") || dl__op_is(n, "-"))) {
        struct dl__pair left = offset_of(f, root, n->children[0], names),
                        right = offset_of(f, root, n->children[1], names);

        return dl__pair_add(left, dl__op_is(n, "-") ? negated(right) : right);
    }
    if (offset_of_call(f, root, n, names, &pair))
        return pair;
    definition = definition_of(f, n);
    if (definition && *names < NAMES_MAX) {
        ++*names;
        return offset_of(f, root, definition, names);
    }
    return dl__pair_of_number(root, dl__evaluate(f, n));
}

/* Sums of terms, each of which may be rows; of a width that the text knows, arithmetic
 * says so. */
static struct dl__pair offset_of_constant(struct dl__frame *f,
                                          const struct dl__root *root, struct dl__node *n,
                                          unsigned *names)
{
    struct dl__value v = dl__evaluate(f, n);
    struct dl__node *definition;
    struct dl__pair pair;

    if (v.modulus % dl__row_elements(root) == 0)
        return dl__pair_of_number(root, v);
    if ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) &&
        n->child_count == 1)
        return offset_of_constant(f, root, n->children[0], names);
    if (n->kind == DL__N_BINARY && n->child_count == 2 &&
        (dl__op_is(n, "+") || dl__op_is(n, "-")) && *names < NAMES_MAX) {
        struct dl__pair left, right;

        ++*names;
        left = offset_of_constant(f, root, n->children[0], names);
        right = offset_of_constant(f, root, n->children[1], names);
        return dl__pair_add(left, dl__op_is(n, "-") ? negated(right) : right);
    }
    if (offset_of_call(f, root, n, names, &pair))
        return pair;
    definition = definition_of(f, n);
    if (definition && *names < NAMES_MAX) {
        ++*names;
        return offset_of_constant(f, root, definition, names);
    }
    return dl__pair_of_number(root, v);
}

struct dl__pair dl__evaluate_offset(struct dl__frame *f, const struct dl__root *root,
                                    struct dl__node *n)
{
    unsigned names = 0;

    if (root->is_part) /* it stays in its struct; the rest is bytes */
        return (struct dl__pair){
            dl__value_constant(0),
            dl__value_multiply(dl__evaluate(f, n),
                               dl__value_constant(root->element_type->bytes))};
    if (root->element_type->kind == DL__T_STRUCT)
        return (struct dl__pair){dl__evaluate(f, n), dl__value_constant(0)};
    return dl__row_elements(root) ? offset_of_constant(f, root, n, &names)
                                  : offset_of(f, root, n, &names);
}

/* ---- pointers ---- */

struct dl__pair dl__evaluate_place(struct dl__frame *f, const struct dl__access *p)
{
    struct dl__pair pair = {dl__value_constant(0), dl__value_constant(0)};

    for (size_t i = 0; i < p->array_count; i++)
        pair.rows = dl__value_add(
            pair.rows, dl__value_multiply(dl__evaluate(f, p->array_index[i]),
                                          dl__value_constant((int64_t)p->array_step[i])));
    if (p->array_count)
        return pair;
    pair = dl__evaluate_pointer(f, p->pointer);
    return p->index ? dl__pair_add(pair, dl__evaluate_offset(f, p->root, p->index))
                    : pair;
}

/* A pointer to a part, whose rest is the part's first byte in its struct. */
static struct dl__pair pair_of_part(struct dl__frame *f, const struct dl__access *p)
{
    struct dl__pair pair = dl__evaluate_place(f, p);

    for (size_t i = 0; i < p->step_count; i++) {
        struct dl__value by = dl__value_constant(0);

        if (p->steps[i].field)
            by = dl__value_constant(p->steps[i].field->offset_bytes);
        else if (p->step_index[i])
            by = dl__value_multiply(dl__evaluate(f, p->step_index[i]),
                                    dl__value_constant(p->steps[i].type->bytes));
        pair.rest = dl__value_add(pair.rest, by);
    }
    return pair;
}

static struct dl__pair chosen(enum dl__agreement first, struct dl__pair a,
                              struct dl__pair b)
{
    return (struct dl__pair){dl__value_chosen(first, a.rows, b.rows),
                             dl__value_chosen(first, a.rest, b.rest)};
}

static struct dl__pair pair_of_variable(struct dl__frame *f, struct dl__node *n)
{
    struct dl__outline_variable *v = dl__outline_find(f->outline, n->declared_at);

    if (!v || !v->tracked)
        return (struct dl__pair){dl__value_of(DL__V_UNKNOWN),
                                 dl__value_of(DL__V_UNKNOWN)};
    return dl__pair_at(f, v, n);
}

/* A pointer that a helper returns. */
static struct dl__pair pair_of_call(struct dl__frame *f, struct dl__node *n)
{
    struct dl__function *callee = dl__ast_callee(f->outline->unit->tracker->ast, n);
    struct dl__frame *frame = callee ? dl__frame_of_call(f, n, callee) : NULL;

    return frame ? frame->result_pair
                 : (struct dl__pair){dl__value_of(DL__V_UNKNOWN),
                                     dl__value_of(DL__V_UNKNOWN)};
}

struct dl__pair dl__evaluate_pointer(struct dl__frame *f, struct dl__node *n)
{
    struct dl__unit *u = f->outline->unit;
    struct dl__access place;
    struct dl__node *left, *right;

    if (dl__is_null(u, n))
        return (struct dl__pair){dl__value_nothing(), dl__value_nothing()};
    n = dl__strip_casts(n);
    switch (n->kind) {
    case DL__N_NAME:
        return pair_of_variable(f, n);
    case DL__N_CALL:
        return pair_of_call(f, n);
    case DL__N_MEMBER:
    case DL__N_SUBSCRIPT:
        if (dl__find_place(u, n, &place))
            return pair_of_part(f, &place);
        return (struct dl__pair){dl__value_of(DL__V_UNKNOWN),
                                 dl__value_of(DL__V_UNKNOWN)};
    case DL__N_UNARY:
        if (dl__op_is(n, "&") && dl__find_place(u, n->children[0], &place))
            return dl__is_of_structs(place.root) ? pair_of_part(f, &place)
                                                 : dl__evaluate_place(f, &place);
        return dl__evaluate_pointer(f, n->children[0]); /* ++, -- */
    case DL__N_COMPOUND:
        return dl__evaluate_pointer(f, n->children[0]);
    case DL__N_CONDITIONAL:
        return chosen(dl__agreement_of(f, n->children[0]),
                      dl__evaluate_pointer(f, n->children[1]),
                      dl__evaluate_pointer(f, n->children[2]));
    case DL__N_BINARY:
        left = n->children[0];
        right = n->children[1];
        if (dl__op_is(n, "="))
            return dl__evaluate_pointer(f, right);
        if (dl__root_of(u, left)) {
            struct dl__pair by = dl__evaluate_offset(f, dl__root_of(u, left), right);

            return dl__pair_add(dl__evaluate_pointer(f, left),
                                dl__op_is(n, "-") ? negated(by) : by);
        }
        return dl__pair_add(dl__evaluate_pointer(f, right),
                            dl__evaluate_offset(f, dl__root_of(u, right), left));
    default:
        return (struct dl__pair){dl__value_of(DL__V_UNKNOWN),
                                 dl__value_of(DL__V_UNKNOWN)};
    }
}
