/* SPDX-License-Identifier: MIT */
/* Buffers in a struct that is handed on. */
#include "annotate/track/context.h"

#include <string.h>

#include "annotate/track/node.h"
#include "annotate/track/place.h"

enum { DEPTH_MAX = 16, FUNCTIONS_MAX = 256 };

/* ---- types ---- */

/* True when a value of the type holds one of the struct, or points to one. */
static bool holds(const struct dl__type *type, const struct dl__struct *s, unsigned depth)
{
    while (type->kind == DL__T_POINTER || type->kind == DL__T_ARRAY)
        type = type->element;
    if (type->kind != DL__T_STRUCT || depth > DEPTH_MAX)
        return false;
    if (type->identity == s)
        return true;
    for (size_t i = 0; i < type->identity->field_count; i++)
        if (holds(type->identity->fields[i].type, s, depth + 1))
            return true;
    return false;
}

static bool is_same(const struct dl__context *c, const struct dl__struct *type,
                    const char *member)
{
    return c->type == type && !strcmp(c->member, member);
}

/* The struct that a member is of. */
static const struct dl__struct *struct_of(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n->children[0]);

    type = type->kind == DL__T_POINTER ? type->element : type;
    return type->kind == DL__T_STRUCT ? type->identity : NULL;
}

/* ---- finding ---- */

struct search {
    struct dl__unit *unit;
    bool in_kernel;
    struct dl__function *seen[FUNCTIONS_MAX];
    size_t seen_count;
    /* Members that are set, by the argument or, with no root, by something else. */
    struct {
        struct dl__context *items;
        size_t count, room;
    } sets;
    struct {
        const struct dl__struct **items;
        size_t count, room;
    } seen_as_other; /* structs that may be set through another type */
};

static struct dl__root *root_of_argument(const struct search *s, struct dl__node *n)
{
    struct dl__variable *v;

    n = dl__strip(n);
    v = s->in_kernel && n->kind == DL__N_NAME ? dl__variable_of(s->unit, n) : NULL;
    return v && v->kind == DL__ROOT && !v->root->has_index && !v->root->is_cast ? v->root
                                                                                : NULL;
}

static void add_set(struct search *s, const struct dl__struct *type, const char *member,
                    struct dl__root *root)
{
    struct dl__context set = {.type = type, .member = member, .root = root};

    DL__PUSH(s->unit->tracker->arena, &s->sets, set);
}

static bool is_braces(const struct dl__unit *u, const struct dl__node *n)
{
    return n->kind == DL__N_OTHER && dl__text_at(u, n->begin) == '{';
}

/* Values in braces, one a member. With designators, or where one is missing, pointers are set to
 * something else. */
static void find_in_braces(struct search *s, struct dl__node *n)
{
    struct dl__unit *u = s->unit;
    const struct dl__type *type = dl__type_of(u, n);
    const struct dl__struct *of = type->identity;
    bool plain = true;

    if (type->kind != DL__T_STRUCT)
        return;
    for (size_t i = 0; i < n->child_count; i++)
        plain &= dl__text_at(u, n->children[i]->begin) != '.';
    for (size_t i = 0; i < of->field_count; i++) {
        const struct dl__type *field = of->fields[i].type;
        struct dl__root *root =
            plain && i < n->child_count ? root_of_argument(s, n->children[i]) : NULL;

        if (field->kind == DL__T_POINTER)
            add_set(s, of, of->fields[i].name,
                    root && dl__is_element(root, field->element) ? root : NULL);
    }
}

static void find_sets(struct search *s, struct dl__node *n)
{
    struct dl__unit *u = s->unit;
    struct dl__node *to = n->child_count ? dl__strip(n->children[0]) : NULL;

    if (to && to->kind == DL__N_MEMBER && to->child_count &&
        (dl__is_assignment(n) || dl__is_step(n) ||
         (n->kind == DL__N_UNARY && (dl__op_is(n, "&") || !n->op[0])) ||
         (n->kind == DL__N_BINARY && !n->op[0]))) {
        const struct dl__struct *type = struct_of(u, to);

        if (type)
            add_set(s, type, to->name,
                    n->kind == DL__N_BINARY && dl__op_is(n, "=")
                        ? root_of_argument(s, n->children[1])
                        : NULL);
    } else if (is_braces(u, n)) {
        find_in_braces(s, n);
    } else if (n->kind == DL__N_CAST && n->child_count) {
        const struct dl__type *type = dl__type_of(u, n);

        if (type->kind == DL__T_POINTER && type->element->kind == DL__T_STRUCT)
            DL__PUSH(u->tracker->arena, &s->seen_as_other, type->element->identity);
    } else if (n->kind == DL__N_MEMBER && to) {
        const struct dl__struct *type = struct_of(u, n);

        if (type && type->is_union)
            DL__PUSH(u->tracker->arena, &s->seen_as_other, type);
    }
    for (size_t i = 0; i < n->child_count; i++)
        find_sets(s, n->children[i]);
}

/* The same in all that is called. */
static bool find_in_callees(struct search *s, struct dl__node *n)
{
    struct dl__ast *ast = s->unit->tracker->ast;
    struct dl__function *f = n->kind == DL__N_CALL ? dl__ast_callee(ast, n) : NULL;

    for (size_t i = 0; f && i < s->seen_count; i++)
        if (s->seen[i] == f)
            f = NULL;
    if (f && f->is_defined) {
        struct dl__node *body = dl__ast_body(ast, f);

        if (s->seen_count == FUNCTIONS_MAX)
            return false;
        s->seen[s->seen_count++] = f;
        find_sets(s, body);
        if (!find_in_callees(s, body))
            return false;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!find_in_callees(s, n->children[i]))
            return false;
    return true;
}

/* True when nothing else is ever in the member. */
static bool is_only(const struct search *s, const struct dl__context *c)
{
    for (size_t i = 0; i < s->sets.count; i++)
        if (is_same(&s->sets.items[i], c->type, c->member) &&
            s->sets.items[i].root != c->root)
            return false;
    for (size_t i = 0; i < s->seen_as_other.count; i++) {
        struct dl__type type = {.kind = DL__T_STRUCT,
                                .identity = s->seen_as_other.items[i]};

        if (holds(&type, c->type, 0))
            return false;
    }
    return !c->type->is_union;
}

void dl__find_contexts(struct dl__unit *u, struct dl__node *body)
{
    struct search s = {.unit = u, .in_kernel = true};
    size_t with_root = 0;

    find_sets(&s, body);
    for (size_t i = 0; i < s.sets.count; i++)
        with_root += s.sets.items[i].root != NULL;
    s.in_kernel = false;
    if (!with_root || !find_in_callees(&s, body))
        return;
    for (size_t i = 0; i < s.sets.count; i++) {
        struct dl__context c = s.sets.items[i];
        bool known = !c.root || !is_only(&s, &c);

        for (size_t k = 0; k < u->contexts.count && !known; k++)
            known = is_same(&u->contexts.items[k], c.type, c.member);
        if (known)
            continue;
        c.parameter =
            dl__name_make(&u->tracker->accessors.names, u->tracker->arena, c.member);
        c.declared_at = u->function->parameters[c.root->parameter].name_at;
        DL__PUSH(u->tracker->arena, &u->contexts, c);
    }
}

/* ---- asking ---- */

static const struct dl__context *
context_of(const struct dl__unit *u, const struct dl__struct *type, const char *member)
{
    for (size_t i = 0; i < u->contexts.count; i++)
        if (is_same(&u->contexts.items[i], type, member))
            return &u->contexts.items[i];
    return NULL;
}

static bool is_pure(const struct dl__node *n)
{
    if (dl__is_assignment(n) || dl__is_step(n) || n->kind == DL__N_CALL ||
        n->kind == DL__N_VALUE_BLOCK)
        return false;
    for (size_t i = 0; i < n->child_count; i++)
        if (!is_pure(n->children[i]))
            return false;
    return true;
}

struct dl__variable *dl__context_variable(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__struct *type = n->child_count ? struct_of(u, n) : NULL;
    const struct dl__context *c = type ? context_of(u, type, n->name) : NULL;
    struct dl__variable *v = c ? u->variables : NULL;

    while (v && v->declared_at != c->declared_at)
        v = v->next;
    if (v && !is_pure(n->children[0]))
        dl__refuse(u, n->begin,
                   "'%s' stands for a buffer, but what is before it changes something",
                   n->name);
    return v;
}

bool dl__sets_context(struct dl__unit *u, struct dl__node *n)
{
    struct dl__node *child = n;
    const struct dl__type *type;

    if (!u->contexts.count)
        return false;
    for (n = n->parent; n && (n->kind == DL__N_PAREN || n->kind == DL__N_IMPLICIT);
         n = n->parent)
        child = n;
    type = n && is_braces(u, n) ? dl__type_of(u, n) : NULL;
    for (size_t i = 0; type && type->kind == DL__T_STRUCT && i < n->child_count &&
                       i < type->identity->field_count;
         i++)
        if (n->children[i] == child)
            return context_of(u, type->identity, type->identity->fields[i].name) != NULL;
    return false;
}

bool dl__takes_contexts(const struct dl__unit *u, const struct dl__function *f)
{
    for (size_t i = 0; i < u->contexts.count; i++) {
        const struct dl__struct *type = u->contexts.items[i].type;

        if (f->result && holds(f->result, type, 0))
            return true;
        for (size_t k = 0; k < f->parameter_count; k++)
            if (holds(f->parameters[k].type, type, 0))
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
