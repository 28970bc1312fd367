/* SPDX-License-Identifier: MIT */
/* Volatile arguments that nothing is waited for in: atomic functions take them, or what
 * they hold is read once. */
#include "annotate/program/counter.h"

#include <string.h>

#include "annotate/text/lex.h"
#include "annotate/track/node.h"

enum { DEPTH_MAX = 8 };

struct looking {
    struct dl__rewriter *w;
    size_t declared_at; /* the parameter */
    unsigned depth;     /* of helpers */
    bool is_atomic;     /* an atomic function takes it */
    bool is_in_loop;    /* the call of the helper is */
    bool is_read;       /* it is read in a loop without one */
    bool is_lost;       /* it goes where it is not followed */
};

static void look(struct looking *s, struct dl__node *n);

static bool is_word(const struct looking *s, size_t at, const char *word)
{
    return !strncmp(s->w->ast.text + at, word, strlen(word));
}

/* Only in a loop is something waited for. */
static bool is_in_loop(const struct looking *s, const struct dl__node *n)
{
    bool in_loop = s->is_in_loop;

    for (; n && !in_loop; n = n->parent)
        in_loop = n->kind == DL__N_BRANCH &&
                  (is_word(s, n->begin, "while") || is_word(s, n->begin, "for") ||
                   is_word(s, n->begin, "do"));
    return in_loop;
}

static bool has_goto(const struct looking *s, const struct dl__function *f)
{
    struct dl__lexer lexer = {
        .text = s->w->ast.text, .bytes = f->body_end, .offset = f->body_at};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (dl__token_is(&t, "goto"))
            return true;
    return false;
}

/* What a function does with an argument. */
static void look_into(struct looking *s, struct dl__function *f, size_t number,
                      bool in_loop)
{
    struct looking inner = {.w = s->w, .depth = s->depth + 1};

    if (!f->is_defined || number >= f->parameter_count || s->depth >= DEPTH_MAX) {
        s->is_lost = true;
        return;
    }
    inner.declared_at = f->parameters[number].name_at;
    inner.is_in_loop = in_loop || has_goto(s, f);
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
        look_into(s, f, number - 1, is_in_loop(s, call));
    else if (call->name && dl__atomic_of(call->name, strlen(call->name)))
        s->is_atomic = true;
    else
        s->is_lost = true;
}

/* Where a mention of the pointer goes: to a call, by sums and casts, or to what it points
 * to. */
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
            s->is_read |= is_place && !(dl__op_is(up, "=") && up->children[0] == n) &&
                          is_in_loop(s, up);
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

bool dl__may_wait(struct dl__rewriter *w, struct dl__function *f, size_t number)
{
    struct looking s = {.w = w, .declared_at = f->parameters[number].name_at};

    s.is_in_loop = has_goto(&s, f);
    look(&s, dl__ast_body(&w->ast, f));
    return s.is_lost || (s.is_read && !s.is_atomic);
}
