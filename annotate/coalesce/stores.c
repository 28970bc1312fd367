/* SPDX-License-Identifier: MIT */
/* What may be stored where. Too much is found rather than too little. */
#include "annotate/coalesce/members.h"

#include <string.h>

#include "annotate/track/node.h"

/* The variable that holds what `n` denotes: itself, or a part of it. NULL: it is reached
 * by a pointer. */
static struct dl__node *variable_of(struct dl__coalescing *c, struct dl__node *n)
{
    for (n = dl__strip(n); n->child_count; n = dl__strip(n->children[0])) {
        const struct dl__type *type = dl__type_of(c->k->unit, dl__strip(n->children[0]));

        if (n->kind == DL__N_MEMBER
                ? type->kind == DL__T_POINTER
                : n->kind != DL__N_SUBSCRIPT ||
                      (type->kind != DL__T_ARRAY && type->kind != DL__T_VECTOR))
            return NULL;
    }
    return n->kind == DL__N_NAME && n->declared_at != SIZE_MAX ? n : NULL;
}

static bool is_private(struct dl__coalescing *c, struct dl__node *n)
{
    const struct dl__node *variable = variable_of(c, n);

    return variable && variable->declared_at >= c->k->function->open_at &&
           variable->declared_at < c->k->function->body_end;
}

/* A function can store by the pointers that it is given; of the text's own, and of what
 * the text has in program scope, nothing is known. */
static bool call_may_store(struct dl__coalescing *c, struct dl__node *n)
{
    if (!n->name || dl__ast_callee(&c->w->ast, n) || c->w->ast.has_variable)
        return true;
    if (!strncmp(n->name, "vload", 5))
        return false;
    for (size_t i = 1; i < n->child_count; i++) {
        enum dl__type_kind kind =
            dl__type_of(c->k->unit, dl__strip_casts(n->children[i]))->kind;

        if (kind != DL__T_SCALAR && kind != DL__T_VECTOR)
            return true;
    }
    return false;
}

static bool children_may_store(struct dl__coalescing *c, struct dl__node *n)
{
    for (size_t i = 0; i < n->child_count; i++)
        if (dl__may_store(c, n->children[i]))
            return true;
    return false;
}

bool dl__may_store(struct dl__coalescing *c, struct dl__node *n)
{
    if ((dl__is_assignment(n) || dl__is_step(n)) && !is_private(c, n->children[0]))
        return true;
    if (n->kind == DL__N_CALL && call_may_store(c, n))
        return true;
    return children_may_store(c, n);
}

bool dl__may_store_early(struct dl__coalescing *c, struct dl__node *statement)
{
    statement = dl__strip(statement);
    return dl__is_assignment(statement) ? children_may_store(c, statement)
                                        : dl__may_store(c, statement);
}

bool dl__coalesce_changes(struct dl__coalescing *c, struct dl__node *n,
                          size_t declared_at)
{
    if (dl__is_assignment(n) || dl__is_step(n) ||
        (n->kind == DL__N_UNARY && dl__op_is(n, "&"))) {
        const struct dl__node *variable = variable_of(c, n->children[0]);

        if (variable && variable->declared_at == declared_at)
            return true;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (dl__coalesce_changes(c, n->children[i], declared_at))
            return true;
    return false;
}
