/* SPDX-License-Identifier: MIT */
/* Variables and their changes. */
#include "annotate/track/locals.h"

#include <string.h>

#include "annotate/track/node.h"

/* What a pointer points to is no part of it. */
static bool is_through_pointer(struct dl__unit *u, const struct dl__node *n)
{
    return (n->kind == DL__N_MEMBER || n->kind == DL__N_SUBSCRIPT ||
            (n->kind == DL__N_UNARY && dl__op_is(n, "*"))) &&
           dl__type_of(u, dl__strip(n->children[0]))->kind == DL__T_POINTER;
}

static void add_change(struct dl__unit *u, struct dl__node *n, bool by_address)
{
    struct dl__local change = {.at = n->begin, .anywhere = by_address};

    while (n->child_count && n->kind != DL__N_NAME) {
        if (is_through_pointer(u, n))
            return;
        n = n->children[0];
    }
    change.declared_at = n->declared_at;
    if (n->kind == DL__N_NAME)
        DL__PUSH(u->tracker->arena, &u->locals, change);
}

static void find_locals(struct dl__unit *u, struct dl__node *n)
{
    if (n->kind == DL__N_VARIABLE || (n->kind == DL__N_OTHER && n->name)) {
        struct dl__local local = {n->declared_at, n, n->begin, false};

        DL__PUSH(u->tracker->arena, &u->locals, local);
    } else if (n->child_count &&
               (dl__is_assignment(n) || dl__is_step(n) ||
                (n->kind == DL__N_UNARY && (dl__op_is(n, "&") || !n->op[0])) ||
                ((n->kind == DL__N_BINARY || n->kind == DL__N_COMPOUND) && !n->op[0]))) {
        add_change(u, n->children[0], n->kind == DL__N_UNARY && !dl__is_step(n));
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_locals(u, n->children[i]);
}

static void need_locals(struct dl__unit *u)
{
    if (!u->has_locals)
        find_locals(u, dl__ast_body(u->tracker->ast, u->function));
    u->has_locals = true;
}

bool dl__is_changed(struct dl__unit *u, size_t declared_at, struct dl__node **declaration)
{
    bool changed = false;

    need_locals(u);
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

size_t dl__count_changes(struct dl__unit *u, size_t declared_at, struct dl__block block)
{
    size_t count = 0;

    need_locals(u);
    for (size_t i = 0; i < u->locals.count; i++) {
        const struct dl__local *local = &u->locals.items[i];

        count += local->declared_at == declared_at && !local->declaration &&
                 (local->anywhere || (local->at >= block.begin && local->at < block.end));
    }
    return count;
}

bool dl__is_declared_once(struct dl__unit *u, const char *name, size_t declared_at)
{
    need_locals(u);
    for (size_t i = 0; i < u->function->parameter_count; i++)
        if (!strcmp(u->function->parameters[i].name, name) &&
            u->function->parameters[i].name_at != declared_at)
            return false;
    for (size_t i = 0; i < u->locals.count; i++)
        if (u->locals.items[i].declaration &&
            !strcmp(u->locals.items[i].declaration->name, name) &&
            u->locals.items[i].declared_at != declared_at)
            return false;
    return true;
}

struct dl__block dl__block_of(struct dl__unit *u, const struct dl__node *declaration)
{
    const struct dl__node *n = declaration->parent;

    while (n && !(n->kind == DL__N_STATEMENT && dl__text_at(u, n->begin) == '{' &&
                  n->end && dl__text_at(u, n->end - 1) == '}'))
        n = n->parent;
    return n ? (struct dl__block){n->begin, n->end} : (struct dl__block){0, SIZE_MAX};
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
