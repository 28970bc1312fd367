/* SPDX-License-Identifier: MIT */
/* Functions that are one sum of their arguments: a call is that sum, in both texts. */
#include "annotate/prove/prove.h"

#include <string.h>

enum { DEPTH_MAX = 8 };

static bool is_integer(const struct dl__type *type)
{
    return type->kind == DL__T_SCALAR && type->bytes && type->scalar != 'f' &&
           type->scalar != 'b';
}

/* The expression that a function returns, where that is all it has. */
static struct dl__node *returned(struct dl__side_text *t, struct dl__function *f)
{
    struct dl__node *body = dl__ast_body(&t->w->ast, f);

    return body->child_count == 1 && body->children[0]->kind == DL__N_RETURN &&
                   body->children[0]->child_count == 1
               ? body->children[0]->children[0]
               : NULL;
}

static bool is_parameter(const struct dl__function *f, size_t declared_at)
{
    for (size_t i = 0; i < f->parameter_count; i++)
        if (f->parameters[i].name_at == declared_at)
            return true;
    return false;
}

static bool is_pure(struct dl__side_text *t, struct dl__function *f, unsigned depth);

static bool is_sum(struct dl__side_text *t, const struct dl__function *f,
                   struct dl__node *n, unsigned depth)
{
    size_t first = 0;

    switch (n->kind) {
    case DL__N_NAME:
        return n->is_constant || is_parameter(f, n->declared_at);
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
        return !n->child_count && is_integer(dl__known_type(t, n));
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        break;
    default:
        return false;
    }
    if (!is_integer(dl__known_type(t, n)))
        return false;
    for (size_t i = first; i < n->child_count; i++)
        if (!is_sum(t, f, n->children[i], depth))
            return false;
    return true;
}

static bool is_pure(struct dl__side_text *t, struct dl__function *f, unsigned depth)
{
    struct dl__node *value;

    if (depth > DEPTH_MAX || !f->is_defined || f->is_kernel || !is_integer(f->result))
        return false;
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!is_integer(f->parameters[i].type) || !*f->parameters[i].name)
            return false;
    value = returned(t, f);
    return value && is_sum(t, f, value, depth);
}

bool dl__prove_pure(struct dl__prover *p, struct dl__side_text *t, struct dl__function *f,
                    const struct dl__known *a, struct dl__known *out)
{
    size_t variables = t->variables.count;

    if (!is_pure(t, f, 0))
        return false;
    for (size_t i = 0; i < f->parameter_count; i++) {
        const struct dl__parameter *q = &f->parameters[i];
        struct dl__variable_known *v =
            dl__declare_known(p, t, q->name, q->name_at, q->type);

        v->relation = DL__R_VALUE;
        v->is_kept = true;
        v->value = dl__convert_known(p, a[i], q->type);
    }
    *out = dl__convert_known(p, dl__prove_value(p, t, returned(t, f)), f->result);
    t->variables.count = variables;
    return true;
}
