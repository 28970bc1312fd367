/* SPDX-License-Identifier: MIT */
/* Variables and their changes. */
#include "annotate/track/locals.h"

#include "annotate/track/node.h"

static void add_change(struct dl__unit *u, struct dl__node *n)
{
    struct dl__local change = {.declared_at = SIZE_MAX};

    while (n->child_count && n->kind != DL__N_NAME)
        n = n->children[0];
    change.declared_at = n->declared_at;
    if (n->kind == DL__N_NAME)
        DL__PUSH(u->tracker->arena, &u->locals, change);
}

static void find_locals(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE) {
        struct dl__local local = {n->declared_at, n};

        DL__PUSH(u->tracker->arena, &u->locals, local);
    } else if (n->child_count &&
               (dl__is_assignment(n) || dl__is_step(n) ||
                (n->kind == DL__N_UNARY && (dl__op_is(n, "&") || !n->op[0])) ||
                ((n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND) && !n->op[0]))) {
        add_change(u, n->children[0]);
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_locals(u, n->children[i]);
}

bool dl__is_changed(struct dl__unit *u, size_t declared_at, struct dl__node **declaration)
{
    bool changed = false;

    if (!u->has_locals)
        find_locals(u, dl__ast_body(u->tracker->ast, u->function));
    u->has_locals = true;
    *declaration = NULL;
    for (size_t i = 0; i < u->locals.count; i++) {
        const struct dl__local *local = &u->locals.items[i];

        if (local->declared_at != declared_at)
            continue;
        changed |= !local->declaration;
        *declaration = local->declaration ? local->declaration : *declaration;
    }
    return changed;
}

bool dl__is_fixed_parameter(struct dl__unit *u, const struct dl__node *n, size_t *number)
{
    struct dl__node *declaration;

    for (size_t i = 0; i < u->function->parameter_count; i++) {
        *number = i;
        if (u->function->parameters[i].name_at == n->declared_at)
            return !dl__is_changed(u, n->declared_at, &declaration);
    }
    return false;
}
