/* SPDX-License-Identifier: MIT */
/* Buffers in a struct that is handed on: what is asked of its members. */
#include "annotate/track/context.h"

#include <string.h>

#include "annotate/track/braces.h"
#include "annotate/track/node.h"
#include "annotate/track/place.h"

const struct dl__context *dl__context_of(const struct dl__unit *u,
                                         const struct dl__struct *type,
                                         const char *member)
{
    for (size_t i = 0; i < u->contexts.count; i++)
        if (u->contexts.items[i].type == type &&
            !strcmp(u->contexts.items[i].member, member))
            return &u->contexts.items[i];
    return NULL;
}

static const struct dl__context *context_at(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__struct *type = n->child_count ? dl__struct_of_member(u, n) : NULL;

    return type ? dl__context_of(u, type, n->name) : NULL;
}

static struct dl__variable *variable_of(const struct dl__unit *u,
                                        const struct dl__context *c)
{
    struct dl__variable *v = c ? u->variables : NULL;

    while (v && v->declared_at != c->declared_at)
        v = v->next;
    return v;
}

struct dl__variable *dl__context_variable(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__context *c = context_at(u, n);
    struct dl__variable *v = variable_of(u, c);

    if (v && c->is_moved && v->root->is_far)
        dl__refuse(u, n->begin, "'%s' is moved, and can point into '%s'", n->name,
                   v->root->name);
    if (v && !c->is_moved && !dl__is_pure(n->children[0]))
        dl__refuse(u, n->begin,
                   "'%s' stands for a buffer, but what is before it changes something",
                   n->name);
    return v;
}

bool dl__is_moved_member(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__context *c;

    if (!u->contexts.count)
        return false;
    n = dl__strip(n);
    c = n->kind == DL__N_MEMBER ? context_at(u, n) : NULL;
    return c && c->is_moved;
}

const struct dl__context *dl__braces_set(struct dl__unit *u, struct dl__node *n, size_t i)
{
    const struct dl__type *type = u->contexts.count ? dl__type_of(u, n) : NULL;
    struct dl__braces_item item;

    if (!type || type->kind != DL__T_STRUCT || !dl__braces_item(u, n, i, &item))
        return NULL;
    return dl__context_of(u, type->identity, type->identity->fields[item.number].name);
}

const struct dl__root *dl__context_root(const struct dl__unit *u,
                                        const struct dl__context *c)
{
    return variable_of(u, c)->root;
}

bool dl__takes_contexts(const struct dl__unit *u, const struct dl__function *f)
{
    for (size_t i = 0; i < u->contexts.count; i++) {
        const struct dl__struct *type = u->contexts.items[i].type;

        if (f->result && dl__type_holds(f->result, type))
            return true;
        for (size_t k = 0; k < f->parameter_count; k++)
            if (dl__type_holds(f->parameters[k].type, type))
                return true;
    }
    return false;
}

struct dl__function *dl__with_contexts(struct dl__unit *u, struct dl__function *f)
{
    struct dl__arena *arena = u->tracker->arena;
    struct dl__function *g = DL__NEW(arena, struct dl__function);
    size_t count = f->parameter_count + u->contexts.count;
    struct dl__parameter *parameters = dl__arena_alloc(arena, count * sizeof *parameters);

    dl__ast_body(u->tracker->ast, f); /* both have the same nodes */
    *g = *f;
    if (f->parameter_count)
        memcpy(parameters, f->parameters, f->parameter_count * sizeof *parameters);
    g->parameters = parameters;
    g->parameter_count = count;
    for (size_t i = 0; i < u->contexts.count; i++) {
        struct dl__parameter *p = &parameters[f->parameter_count + i];
        const struct dl__context *c = &u->contexts.items[i];
        struct dl__type *type = DL__NEW(arena, struct dl__type);

        type->kind = DL__T_POINTER;
        type->element = c->root->element_type;
        type->address_space = c->root->space & ~(unsigned)DL__VOLATILE;
        p->name = c->parameter;
        p->name_at = SIZE_MAX - 1 - i; /* nowhere */
        p->begin = p->end = f->close_at;
        p->type = type;
    }
    return g;
}
