/* SPDX-License-Identifier: MIT */
/* Index functions seen through.
 *
 * Sums stay sums of the terms that the function has, as if they stood in place of the call: a product of
 * sums is not multiplied out, for its terms may be too large where it is not. */
#include "annotate/forms/index_call.h"

#include <string.h>

#include "annotate/track/node.h"

static bool same_integer(const struct dl__type *a, const struct dl__type *b)
{
    return a->kind == DL__T_SCALAR && b->kind == DL__T_SCALAR && a->scalar == b->scalar &&
           a->bytes == b->bytes;
}

/* ---- the function ---- */

struct reader {
    struct dl__unit *unit;
    const struct dl__function *function;
    struct dl__node *call;
    struct dl__index_call *out;
};

static bool multiply(struct dl__monomial *to, const struct dl__monomial *by)
{
    if (to->count + by->count > DL__ARGUMENTS_MAX ||
        __builtin_mul_overflow(to->coefficient, by->coefficient, &to->coefficient) ||
        to->coefficient > INT32_MAX || to->coefficient < -INT32_MAX)
        return false;
    for (size_t i = 0; i < by->count; i++)
        to->arguments[to->count++] = by->arguments[i];
    return true;
}

/* A product of parameters and constants. */
static bool read_product(struct reader *r, struct dl__node *n, struct dl__monomial *out)
{
    struct dl__monomial right;

    memset(out, 0, sizeof *out);
    if (dl__constant_of(r->unit, n, &out->coefficient))
        return true;
    if (!same_integer(dl__type_of(r->unit, n), r->out->type))
        return false;
    if ((n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT) && n->child_count == 1)
        return read_product(r, n->children[0], out);
    if (n->kind == DL__N_BINARY && dl__op_is(n, "*") && n->child_count == 2)
        return read_product(r, n->children[0], out) &&
               read_product(r, n->children[1], &right) && multiply(out, &right);
    for (size_t i = 0; n->kind == DL__N_NAME && i < r->function->parameter_count; i++) {
        if (r->function->parameters[i].name_at != n->declared_at)
            continue;
        out->coefficient = 1;
        out->arguments[out->count++] = r->call->children[i + 1];
        return true;
    }
    return false;
}

static bool read_sum(struct reader *r, struct dl__node *n, bool negative)
{
    struct dl__index_call *out = r->out;
    struct dl__monomial *m = &out->items[out->count];
    bool subtracts = dl__op_is(n, "-");

    if (n->kind == DL__N_PAREN && n->child_count == 1)
        return read_sum(r, n->children[0], negative);
    if (n->kind == DL__N_BINARY && n->child_count == 2 &&
        (dl__op_is(n, "+") || subtracts))
        return same_integer(dl__type_of(r->unit, n), out->type) &&
               read_sum(r, n->children[0], negative) &&
               read_sum(r, n->children[1], negative != subtracts);
    if (out->count == DL__MONOMIALS_MAX || !read_product(r, n, m))
        return false;
    m->coefficient = negative ? -m->coefficient : m->coefficient;
    out->count++;
    return true;
}

/* What the function returns, where it does nothing else; NULL: it does. */
static struct dl__node *returned(struct dl__unit *u, struct dl__function *f)
{
    struct dl__node *body = f->is_defined ? dl__ast_body(u->tracker->ast, f) : NULL;

    return body && body->child_count == 1 && body->children[0]->kind == DL__N_RETURN &&
                   body->children[0]->child_count == 1
               ? body->children[0]->children[0]
               : NULL;
}

/* ---- the arguments ---- */

static bool is_pure(struct dl__unit *u, const struct dl__node *n)
{
    static const char *const pure[] = {"get_global_id",
                                       "get_local_id",
                                       "get_group_id",
                                       "get_global_size",
                                       "get_local_size",
                                       "get_num_groups",
                                       "min",
                                       "max",
                                       "abs",
                                       "clamp",
                                       "mad24",
                                       "mul24"};
    bool is_known = n->kind != DL__N_CALL;

    for (size_t i = 0; i < sizeof pure / sizeof *pure && !is_known; i++)
        is_known = !strcmp(n->name, pure[i]) && !dl__ast_callee(u->tracker->ast, n);
    if (!is_known || dl__is_assignment(n) || dl__is_step(n) ||
        n->kind == DL__N_VALUE_BLOCK)
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_pure(u, n->children[i]))
            return false;
    return true;
}

/* True when an argument that stands twice in the sum costs next to nothing. */
static bool are_cheap(struct dl__unit *u, const struct dl__index_call *call,
                      const struct dl__node *call_node)
{
    for (size_t a = 1; a < call_node->child_count; a++) {
        struct dl__node *n = call_node->children[a];
        unsigned uses = 0;
        int64_t constant;

        for (size_t i = 0; i < call->count; i++)
            for (size_t k = 0; k < call->items[i].count; k++)
                uses += call->items[i].arguments[k] == n;
        if (uses > 1 && dl__strip(n)->kind != DL__N_NAME &&
            !dl__constant_of(u, n, &constant))
            return false;
    }
    return true;
}

/* Constants go into the coefficients. */
static bool fold_constants(struct dl__unit *u, struct dl__index_call *call)
{
    for (size_t i = 0; i < call->count; i++) {
        struct dl__monomial *m = &call->items[i], folded = {m->coefficient, {0}, 0};

        for (size_t k = 0; k < m->count; k++) {
            struct dl__monomial one = {1, {m->arguments[k]}, 1};
            int64_t constant;

            if (dl__constant_of(u, m->arguments[k], &constant))
                one = (struct dl__monomial){constant, {0}, 0};
            if (!multiply(&folded, &one))
                return false;
        }
        *m = folded;
    }
    return true;
}

bool dl__is_index_call(struct dl__unit *u, struct dl__node *n, struct dl__index_call *out)
{
    struct dl__function *f =
        n->kind == DL__N_CALL ? dl__ast_callee(u->tracker->ast, n) : NULL;
    struct reader r = {u, f, n, out};
    struct dl__node *sum = f ? returned(u, f) : NULL;

    memset(out, 0, sizeof *out);
    if (!sum || f->parameter_count + 1 != n->child_count)
        return false;
    out->type = f->result;
    if (out->type->kind != DL__T_SCALAR || out->type->bytes < 4 ||
        (out->type->scalar != 'i' && out->type->scalar != 'u'))
        return false;
    for (size_t i = 0; i < f->parameter_count; i++)
        if (!same_integer(f->parameters[i].type, out->type))
            return false;
    if (!read_sum(&r, sum, false))
        return false;
    for (size_t i = 1; i < n->child_count; i++)
        if (!is_pure(u, n->children[i]))
            return false;
    return are_cheap(u, out, n) && fold_constants(u, out);
}
