/* SPDX-License-Identifier: MIT */
/* Arguments that are volatile because atomic functions take such pointers. */
#include "annotate/program/counter.h"

#include <string.h>

#include "annotate/track/node.h"

enum { DEPTH_MAX = 8 };

struct looking {
    struct dl__rewriter *w;
    size_t declared_at; /* the parameter */
    unsigned depth;     /* of helpers */
    bool is_atomic;     /* an atomic function takes it */
    bool is_read;       /* it is read or written without one */
    bool is_lost;       /* it goes where it is not followed */
};

static bool is_atomic_name(const char *name)
{
    return !strncmp(name, "atomic_", 7) || !strncmp(name, "atom_", 5);
}

static void look(struct looking *s, struct dl__node *n);

/* What a function does with an argument. */
static void look_into(struct looking *s, struct dl__function *f, size_t number)
{
    struct looking inner = {.w = s->w, .depth = s->depth + 1};

    if (!f->is_defined || number >= f->parameter_count || s->depth >= DEPTH_MAX) {
        s->is_lost = true;
        return;
    }
    inner.declared_at = f->parameters[number].name_at;
    look(&inner, dl__ast_body(&s->w->ast, f));
    s->is_atomic |= inner.is_atomic;
    s->is_lost |= inner.is_lost || (inner.is_read && !inner.is_atomic);
}

static void look_at_call(struct looking *s, const struct dl__node *call,
                         const struct dl__node *argument)
{
    struct dl__function *f = dl__ast_callee(&s->w->ast, call);
    size_t number = 1;

    while (number < call->child_count && call->children[number] != argument)
        number++;
    if (f && number < call->child_count)
        look_into(s, f, number - 1);
    else if (call->name && is_atomic_name(call->name))
        s->is_atomic = true;
    else
        s->is_lost = true;
}

/* Where a mention of the pointer goes: to a call, by sums and casts, or to what it points to. */
static void follow(struct looking *s, const struct dl__node *n)
{
    bool is_place = false; /* what it points to, not the pointer */

    for (const struct dl__node *up = n->parent; up; n = up, up = up->parent) {
        bool steps = dl__op_is(up, "+") || dl__op_is(up, "-");

        if (up->kind == DL__N_CALL && !is_place) {
            look_at_call(s, up, n);
            return;
        }
        if (up->kind == DL__N_PAREN || up->kind == DL__N_CAST ||
            (up->kind == DL__N_IMPLICIT && !is_place) ||
            (up->kind == DL__N_MEMBER && is_place) ||
            (up->kind == DL__N_BINARY && steps && !is_place))
            continue;
        if (up->kind == DL__N_UNARY && dl__op_is(up, "&") && is_place) {
            is_place = false;
        } else if (up->kind == DL__N_UNARY && dl__op_is(up, "*") && !is_place) {
            is_place = true;
        } else if (up->kind == DL__N_SUBSCRIPT && up->children[0] == n) {
            is_place = true;
        } else if (up->kind == DL__N_MEMBER && !is_place) {
            is_place = true;
        } else {
            s->is_read |= is_place;
            s->is_lost |= !is_place;
            return;
        }
    }
    s->is_lost = true;
}

static void look(struct looking *s, struct dl__node *n)
{
    if (n->kind == DL__N_NAME && n->declared_at == s->declared_at)
        follow(s, n);
    for (size_t i = 0; i < n->child_count; i++)
        look(s, n->children[i]);
}

bool dl__counts_alone(struct dl__rewriter *w, struct dl__function *f, size_t number)
{
    struct looking s = {.w = w, .declared_at = f->parameters[number].name_at};

    look(&s, dl__ast_body(&w->ast, f));
    return !s.is_lost && (!s.is_read || s.is_atomic);
}
