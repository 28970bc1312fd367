/* SPDX-License-Identifier: MIT */
/* Which integers are added to pointers: signed ones don't wrap. */
#include "annotate/forms/signed.h"

#include <string.h>

#include "annotate/track/node.h"

enum { FUNCTIONS_MAX = 64 };

struct looking {
    struct dl__unit *unit; /* for questions about nodes */
    const struct dl__type *element;
    const struct dl__function *seen[FUNCTIONS_MAX];
    size_t seen_count;
};

/* What a sum is taken apart into: other operators are terms of their own. Of 64 bits, they may lie
 * beyond 32-bit indices, where parts of opposite signs meet in a row that is none. */
bool dl__is_signed_sum(struct dl__unit *u, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(u, n);
    int64_t constant;
    bool is_sum = (n->kind == DL__N_BINARY && (dl__op_is(n, "+") || dl__op_is(n, "-") ||
                                               dl__op_is(n, "*") || !n->op[0])) ||
                  (n->kind == DL__N_UNARY && (dl__op_is(n, "-") || !n->op[0]));

    if (dl__constant_of(u, n, &constant))
        return true;
    if (type->bytes > 4)
        return false;
    /* An index function's sum is seen through. */
    if (n->kind == DL__N_CALL && dl__ast_callee(u->tracker->ast, n))
        return type->kind == DL__T_SCALAR && type->scalar == 'i';
    if (is_sum && (type->kind != DL__T_SCALAR || type->scalar != 'i'))
        return false;
    if (!is_sum && n->kind != DL__N_PAREN && n->kind != DL__N_IMPLICIT &&
        n->kind != DL__N_CAST)
        return true;
    for (size_t i = 0; i < n->child_count; i++)
        if (!dl__is_signed_sum(u, n->children[i]))
            return false;
    return true;
}

static bool is_alike(const struct looking *l, struct dl__node *n)
{
    const struct dl__type *type = dl__type_of(l->unit, n);

    return (type->kind == DL__T_POINTER || type->kind == DL__T_ARRAY) &&
           type->element->kind == l->element->kind && type->element->name &&
           !strcmp(type->element->name, l->element->name);
}

static bool look(struct looking *l, struct dl__node *n);

static bool look_at_callee(struct looking *l, struct dl__function *f)
{
    if (!f->is_defined)
        return true;
    for (size_t i = 0; i < l->seen_count; i++)
        if (l->seen[i] == f)
            return true;
    if (l->seen_count == FUNCTIONS_MAX)
        return false;
    l->seen[l->seen_count++] = f;
    return look(l, dl__ast_body(l->unit->tracker->ast, f));
}

static bool look(struct looking *l, struct dl__node *n)
{
    bool adds =
        n->child_count == 2 && (n->kind == DL__N_SUBSCRIPT || n->kind == DL__N_BINARY ||
                                n->kind == DL__N_COMPOUND);

    if (adds && n->kind != DL__N_SUBSCRIPT && n->op[0] && n->op[0] != '+' &&
        n->op[0] != '-')
        adds = false;
    if (adds &&
        ((is_alike(l, n->children[0]) && !dl__is_signed_sum(l->unit, n->children[1])) ||
         (is_alike(l, n->children[1]) && !dl__is_signed_sum(l->unit, n->children[0]))))
        return false;
    if (n->kind == DL__N_CALL) {
        struct dl__function *f = dl__ast_callee(l->unit->tracker->ast, n);

        if (f && !look_at_callee(l, f))
            return false;
    }
    for (size_t i = 0; i < n->child_count; i++)
        if (!look(l, n->children[i]))
            return false;
    return true;
}

bool dl__adds_signed(const struct dl__binding *b)
{
    struct looking *l = DL__NEW(b->arena, struct looking);

    l->unit = DL__NEW(b->arena, struct dl__unit);
    l->unit->tracker = DL__NEW(b->arena, struct dl__tracker);
    l->unit->tracker->arena = b->arena;
    l->unit->tracker->ast = b->ast;
    l->element = b->type->element;
    return look(l, dl__ast_body(b->ast, (struct dl__function *)b->function));
}
