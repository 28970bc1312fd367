/* SPDX-License-Identifier: MIT */
/* In which loops, and with which parameters, an expression varies. */
#include "annotate/facts/frame.h"
#include "annotate/forms/index_call.h"
#include "annotate/forms/width.h"
#include "annotate/track/node.h"
#include "annotate/track/part.h"

enum { PARAMETERS_MAX = 32, ROUNDS_MAX = 64 };
static const dl__variation all_parameters = ~(dl__variation)0 << DL__LOOPS_MAX;

dl__variation dl__variation_bit(size_t parameter)
{
    return parameter < PARAMETERS_MAX ? (dl__variation)1 << (DL__LOOPS_MAX + parameter)
                                      : 0;
}

static struct dl__outline_variable *variable_of(const struct dl__outline *o,
                                                const struct dl__node *n)
{
    return n->kind == DL__N_NAME && n->declared_at != SIZE_MAX
               ? dl__outline_find(o, n->declared_at)
               : NULL;
}

dl__variation dl__variation_of(const struct dl__outline *o, struct dl__node *n)
{
    struct dl__outline_variable *v = variable_of(o, n);
    dl__variation all = v ? v->varies | v->rest_varies : 0;

    for (size_t i = 0; i < n->child_count; i++)
        all |= dl__variation_of(o, n->children[i]);
    return all;
}

/* Of the terms that an index function returns. */
static dl__variation variation_of_call(const struct dl__outline *o,
                                       const struct dl__root *root,
                                       const struct dl__index_call *call,
                                       dl__variation *rest)
{
    int64_t width = dl__row_elements(root);
    dl__variation rows = 0;

    for (size_t t = 0; t < call->sum->terms.count; t++) {
        const struct dl__polynomial_term *term = &call->sum->terms.items[t];
        bool is_rows = width > 1 && term->coefficient % width == 0;
        dl__variation all = 0;

        for (size_t a = 0; a < term->count; a++) {
            struct dl__node *argument = term->atoms[a]->origin->node;

            is_rows |= !width && dl__is_width(o->unit, root, argument);
            all |= dl__variation_of(o, argument);
        }
        *(is_rows ? &rows : rest) |= all;
    }
    return rows;
}

dl__variation dl__variation_of_offset(const struct dl__outline *o,
                                      const struct dl__root *root, struct dl__node *n,
                                      dl__variation *rest)
{
    int64_t width = dl__row_elements(root), constant;
    struct dl__product product;
    struct dl__index_call call;
    dl__variation rows = 0;

    if (root->is_part) {
        *rest |= dl__variation_of(o, n);
        return 0;
    }
    if (root->element_type->kind == DL__T_STRUCT)
        return dl__variation_of(o, n);
    if (!width && dl__take_rows(o->unit, root, n, SIZE_MAX, &product)) {
        for (size_t i = 0; i < product.count; i++)
            rows |= dl__variation_of(o, product.items[i]);
        return rows;
    }
    if (n->kind == DL__N_BINARY && n->child_count == 2 &&
        (dl__op_is(n, "+") || dl__op_is(n, "-"))) {
        rows = dl__variation_of_offset(o, root, n->children[0], rest);
        return rows | dl__variation_of_offset(o, root, n->children[1], rest);
    }
    if ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT || n->kind == DL__N_CAST) &&
        n->child_count == 1)
        return dl__variation_of_offset(o, root, n->children[0], rest);
    if (width && n->kind == DL__N_BINARY && n->child_count == 2 && dl__op_is(n, "*") &&
        (dl__constant_of(o->unit, n->children[0], &constant) ||
         dl__constant_of(o->unit, n->children[1], &constant)) &&
        constant % width == 0)
        return dl__variation_of(o, n);
    if (dl__is_index_call(o->unit, n, &call))
        return variation_of_call(o, root, &call, rest);
    *rest |= dl__variation_of(o, n);
    return 0;
}

dl__variation dl__variation_of_pointer(const struct dl__outline *o, struct dl__node *n,
                                       dl__variation *rest)
{
    struct dl__outline_variable *v;
    struct dl__access place;
    dl__variation rows = 0;
    const struct dl__root *root;

    n = dl__strip_casts(n);
    v = variable_of(o, n);
    if (v) {
        *rest |= v->rest_varies;
        return v->varies;
    }
    if ((n->kind == DL__N_UNARY && dl__op_is(n, "&") &&
         dl__find_place(o->unit, n->children[0], &place)) ||
        ((n->kind == DL__N_MEMBER || n->kind == DL__N_SUBSCRIPT) &&
         dl__find_place(o->unit, n, &place))) {
        rows = place.array_count ? 0 : dl__variation_of_pointer(o, place.pointer, rest);
        for (size_t i = 0; i < place.array_count; i++)
            rows |= dl__variation_of(o, place.array_index[i]);
        for (size_t i = 0; i < place.step_count; i++)
            if (place.step_index[i])
                *rest |= dl__variation_of(o, place.step_index[i]);
        return place.index
                   ? rows | dl__variation_of_offset(o, place.root, place.index, rest)
                   : rows;
    }
    for (size_t i = 0; i < n->child_count; i++) {
        struct dl__node *child = n->children[i];

        root = dl__root_of(o->unit, child);
        if (root)
            rows |= dl__variation_of_pointer(o, child, rest);
        else if (dl__root_of(o->unit, n) && n->kind == DL__N_BINARY)
            rows |= dl__variation_of_offset(o, dl__root_of(o->unit, n), child, rest);
        else
            rows |= dl__variation_of(o, child);
    }
    return rows;
}

/* The loops around a change, and those of them that its variable outlives. */
static dl__variation loops_around(const struct dl__outline *o, const struct dl__change *c,
                                  dl__variation *outlived)
{
    dl__variation all = 0;

    *outlived = 0;
    for (int i = c->branch; i != DL__NO_BRANCH; i = o->branches.items[i].parent) {
        const struct dl__branch *b = &o->branches.items[i];
        dl__variation bit;

        if (b->kind != DL__B_LOOP || b->loop >= DL__LOOPS_MAX)
            continue;
        bit = (dl__variation)1 << b->loop;
        all |= bit;
        if (!dl__branch_is_around(o, i, c->variable->branch))
            *outlived |= bit;
    }
    return all;
}

static bool spread(struct dl__outline *o, const struct dl__change *c)
{
    struct dl__outline_variable *v = c->variable;
    dl__variation rows = v->varies, rest = v->rest_varies, outlived, more = 0,
                  more_rest = 0;
    dl__variation around = loops_around(o, c, &outlived);
    bool flat = v->tracked && (v->tracked->root->is_part ||
                               v->tracked->root->element_type->kind != DL__T_STRUCT);

    if (c->source && v->tracked && c->kind == DL__C_SET &&
        dl__root_of(o->unit, c->source))
        more = dl__variation_of_pointer(o, c->source, &more_rest);
    else if (c->source)
        more = dl__variation_of(o, c->source);
    rows |= more & (around | all_parameters);
    rest |= more_rest & (around | all_parameters);
    if (c->of_itself && flat)
        rest |= outlived;
    else if (c->of_itself)
        rows |= outlived;
    if (rows == v->varies && rest == v->rest_varies)
        return false;
    v->varies = rows;
    v->rest_varies = rest;
    return true;
}

bool dl__find_variations(struct dl__outline *o)
{
    bool changed = true;

    for (size_t i = 0; i < o->variable_count; i++) {
        struct dl__outline_variable *v = &o->variables[i];

        if (v->declaration)
            continue;
        v->varies = dl__variation_bit(v->parameter);
        if (v->tracked && (v->tracked->root->is_part ||
                           v->tracked->root->element_type->kind != DL__T_STRUCT))
            v->rest_varies = v->varies;
    }
    for (unsigned round = 0; changed && round < ROUNDS_MAX; round++) {
        changed = false;
        for (size_t i = 0; i < o->changes.count; i++)
            changed |= spread(o, &o->changes.items[i]);
    }
    return !changed;
}
