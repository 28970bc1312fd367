/* SPDX-License-Identifier: MIT */
/* What an argument is used as: the kernel may cast it to a pointer to structs each time
 * it names it. */
#include "annotate/program/cast.h"

#include <string.h>

#include "annotate/track/node.h"

struct looking {
    struct dl__unit *unit; /* for questions about nodes */
    size_t declared_at;
    const struct dl__type *type; /* NULL: none yet */
    bool failed;
};

static bool is_same(const struct dl__type *a, const struct dl__type *b)
{
    return a->kind == b->kind && a->identity == b->identity && a->name && b->name &&
           (a->kind == DL__T_STRUCT || !strcmp(a->name, b->name));
}

/* The first pointer that a name is converted to. */
static const struct dl__type *converted(struct dl__unit *u, const struct dl__type *own,
                                        struct dl__node *n)
{
    while (n->parent && n->parent->child_count == 1 &&
           (n->parent->kind == DL__N_PAREN || n->parent->kind == DL__N_IMPLICIT ||
            n->parent->kind == DL__N_CAST)) {
        const struct dl__type *type;

        n = n->parent;
        type = dl__type_of(u, n);
        if (type->kind != DL__T_POINTER)
            return NULL;
        if (type->element->kind == DL__T_OTHER && own->element->kind == DL__T_OTHER)
            continue;
        if (!is_same(type->element, own->element))
            return type->element->kind == DL__T_OTHER ? NULL : type;
    }
    return NULL;
}

static void look(struct looking *l, const struct dl__type *own, struct dl__node *n)
{
    if (n->kind == DL__N_NAME && n->declared_at == l->declared_at) {
        const struct dl__type *type = converted(l->unit, own, n);

        l->failed |= !type || (l->type && !is_same(l->type->element, type->element)) ||
                     (type && type->element->is_volatile != own->element->is_volatile);
        l->type = type;
    }
    for (size_t i = 0; i < n->child_count && !l->failed; i++)
        look(l, own, n->children[i]);
}

const struct dl__type *dl__type_in_use(struct dl__rewriter *w, struct dl__function *f,
                                       size_t number)
{
    const struct dl__type *own = f->parameters[number].type;
    struct looking l = {.declared_at = f->parameters[number].name_at};
    struct dl__type *type;

    if (own->kind != DL__T_POINTER || own->element->kind == DL__T_STRUCT ||
        own->element->kind == DL__T_POINTER)
        return own;
    l.unit = DL__NEW(&w->arena, struct dl__unit);
    l.unit->tracker = &w->tracker;
    l.unit->function = f;
    look(&l, own, dl__ast_body(&w->ast, f));
    if (l.failed || !l.type ||
        (l.type->element->kind != DL__T_STRUCT && own->element->kind != DL__T_OTHER))
        return own;
    type = DL__NEW(&w->arena, struct dl__type);
    *type = *own;
    type->element = l.type->element;
    return type;
}
