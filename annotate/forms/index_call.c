/* SPDX-License-Identifier: MIT */
/* Index functions seen through: their sums stand in place of calls. */
#include "annotate/forms/index_call.h"

#include <string.h>

#include "annotate/track/unit.h"

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
        if (!is_pure(u, n->children[i]))
            return false;
    out->type = f->result;
    out->sum = &value->sum;
    return are_cheap(out, n);
}
