/* SPDX-License-Identifier: MIT */
/* Where whole structs of annotated buffers are accessed. */
#include "annotate/coalesce/place.h"

#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/node.h"

static const struct dl__buffer *buffer_of(const struct dl__coalescing *c,
                                          const struct dl__node *name)
{
    for (size_t i = 0; i < c->k->buffers.count; i++) {
        const struct dl__buffer *b = &c->k->buffers.items[i];
        const struct dl__parameter *p = &c->k->function->parameters[b->root->parameter];

        if (!b->soa && !b->arrays && !b->width && name->declared_at == p->name_at &&
            p->type->kind == DL__T_POINTER && p->type->address_space == DL__GLOBAL)
            return b;
    }
    return NULL;
}

struct dl__node *dl__whole_struct(struct dl__coalescing *c, struct dl__node *n)
{
    const char *text = c->w->ast.text;
    const struct dl__type *type;
    struct dl__node *base;

    n = dl__strip(n);
    if (n->kind != DL__N_SUBSCRIPT || n->child_count != 2 || n->end <= n->begin ||
        text[n->end - 1] != ']')
        return NULL;
    base = dl__strip(n->children[0]);
    if (base->kind != DL__N_NAME || base->begin != n->begin || !buffer_of(c, base) ||
        strncmp(text + n->begin, base->name, strlen(base->name)) != 0)
        return NULL;
    type = dl__type_of(c->k->unit, n);
    return type->kind == DL__T_STRUCT ? n : NULL;
}

struct dl__node *dl__stored_struct(struct dl__coalescing *c, struct dl__node *statement)
{
    struct dl__node *left;

    if (statement->kind != DL__N_BINARY || !dl__op_is(statement, "=") ||
        statement->child_count != 2)
        return NULL;
    left = statement->children[0];
    return left->kind == DL__N_SUBSCRIPT && left->begin == statement->begin
               ? dl__whole_struct(c, left)
               : NULL;
}

bool dl__has_return(const struct dl__node *n)
{
    bool has = n->kind == DL__N_RETURN;

    for (size_t i = 0; !has && i < n->child_count; i++)
        has = dl__has_return(n->children[i]);
    return has;
}

bool dl__is_head(struct dl__coalescing *c, struct dl__node *statement, unsigned *loads)
{
    if (statement->kind != DL__N_DECL_STATEMENT)
        return false;
    for (size_t i = 0; i < statement->child_count; i++) {
        struct dl__node *v = statement->children[i];
        const struct dl__type *type;

        if (v->kind != DL__N_VARIABLE)
            return false;
        if (!v->child_count)
            continue;
        type = dl__type_of(c->k->unit, v);
        if (dl__whole_struct(c, v->children[v->child_count - 1]))
            ++*loads;
        else if ((type->kind != DL__T_SCALAR && type->kind != DL__T_POINTER) ||
                 type->is_volatile || v->child_count != 1)
            return false;
        else if (c->w->ast.text[v->children[0]->begin] == '{')
            return false;
    }
    return true;
}

bool dl__is_memoryless(struct dl__coalescing *c, struct dl__node *n)
{
    switch (n->kind) {
    case DL__N_NAME:
    case DL__N_PAREN:
    case DL__N_IMPLICIT:
    case DL__N_CAST:
        break;
    case DL__N_OTHER: /* a literal */
        return !n->child_count;
    case DL__N_BINARY:
        if (dl__op_is(n, "=") || !n->op[0])
            return false;
        break;
    case DL__N_UNARY:
        if (!dl__op_is(n, "-") && !dl__op_is(n, "+") && !dl__op_is(n, "~") &&
            !dl__op_is(n, "!"))
            return false;
        break;
    case DL__N_MEMBER:
        if (n->child_count != 1 ||
            dl__type_of(c->k->unit, n->children[0])->kind == DL__T_POINTER)
            return false;
        break;
    case DL__N_CALL:
        if (!n->name || strncmp(n->name, "get_", 4) != 0 || dl__ast_callee(&c->w->ast, n))
            return false;
        for (size_t i = 1; i < n->child_count; i++)
            if (!dl__is_memoryless(c, n->children[i]))
                return false;
        return true;
    default:
        return false;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!dl__is_memoryless(c, n->children[i]))
            return false;
    return true;
}

static struct dl__node *variable_at(struct dl__node *n, size_t declared_at)
{
    struct dl__node *found = NULL;

    if (n->kind == DL__N_VARIABLE && n->declared_at == declared_at)
        return n;
    for (size_t i = 0; !found && i < n->child_count; i++)
        found = variable_at(n->children[i], declared_at);
    return found;
}

static bool is_scattered(struct dl__coalescing *c, struct dl__node *n, unsigned depth)
{
    struct dl__node *variable = NULL;

    if (n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_CONDITIONAL || depth > 8 ||
        (n->kind == DL__N_UNARY && dl__op_is(n, "*")) ||
        (n->kind == DL__N_BINARY && strchr("%/&^|><", n->op[0])) ||
        (n->kind == DL__N_CALL && (!n->name || strncmp(n->name, "get_", 4) != 0)))
        return true;
    if (n->kind == DL__N_NAME && n->declared_at != SIZE_MAX)
        variable = variable_at(dl__ast_body(&c->w->ast, c->k->function), n->declared_at);
    if (variable && variable->child_count &&
        is_scattered(c, variable->children[variable->child_count - 1], depth + 1))
        return true;
    for (size_t i = n->kind == DL__N_CALL; i < n->child_count; i++)
        if (is_scattered(c, n->children[i], depth))
            return true;
    return false;
}

bool dl__is_scattered(struct dl__coalescing *c, struct dl__node *index)
{
    return is_scattered(c, index, 0);
}

size_t dl__end_behind(const struct dl__coalescing *c, size_t at, const char *ends)
{
    struct dl__lexer lexer = {
        .text = c->w->ast.text, .bytes = c->k->function->body_end, .offset = at};
    unsigned depth = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (t.kind != DL__PUNCT || t.bytes != 1)
            continue;
        if (!depth && strchr(ends, *t.text))
            return t.offset + 1;
        if (strchr("([{", *t.text))
            depth++;
        else if (strchr(")]}", *t.text) && !depth--)
            break;
    }
    return SIZE_MAX;
}

/* ---- what stays plain ---- */

const struct dl__taken *dl__taken(const struct dl__coalescing *c,
                                  const struct dl__node *n)
{
    for (size_t i = 0; i < c->taken.count; i++)
        if (c->taken.items[i].node == n)
            return &c->taken.items[i];
    return NULL;
}

static void say(struct dl__coalescing *c, const struct dl__node *n, const char *why)
{
    struct dl__place place = dl__expanded_place(&c->w->expanded, n->begin);

    dl__say(c->w, DL_REMARK, place.file->name, place.line, place.column,
            "'%s' is accessed plainly here: %s", dl__strip(n->children[0])->name, why);
}

static void walk(struct dl__coalescing *c, struct dl__node *n, bool whole)
{
    if (n->kind == DL__N_SUBSCRIPT && dl__whole_struct(c, n) == n) {
        const struct dl__taken *t = dl__taken(c, n);

        if (!t || t->why)
            say(c, n, t ? t->why : whole ? c->why : "it is of members, not whole");
    }
    if (n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT)
        whole = n->kind != DL__N_MEMBER;
    for (size_t i = 0; i < n->child_count; i++)
        walk(c, n->children[i], whole);
}

void dl__say_plain(struct dl__coalescing *c)
{
    walk(c, dl__ast_body(&c->w->ast, c->k->function), true);
}
