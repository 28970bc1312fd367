/* SPDX-License-Identifier: MIT */
#include "annotate/program/beside.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"

struct search {
    struct dl__rewriter *w;
    struct {
        struct dl__function **items;
        size_t count, room;
    } functions;       /* all that are reached, each once */
    bool prints, more; /* beside printing */
    bool draws;        /* what an atomic function returns is used */
};

/* True of functions whose result depends on which work-item comes first. */
static bool is_atomic_name(const struct dl__token *t)
{
    return t->kind == DL__NAME &&
           dl__atomic_of(t->text, t->bytes) == (DL__ATOMIC_READS | DL__ATOMIC_WRITES);
}

/* Where a token of a body stands. */
struct place {
    struct dl__token last;
    uint64_t
        conditions; /* of the parentheses around it, by bits: those of an if or a loop */
    bool after_condition;
};

/* True where a statement begins. A cast to void is taken for a use. */
static bool begins_statement(const struct place *place)
{
    const struct dl__token *last = &place->last;

    return dl__token_is(last, "{") || dl__token_is(last, "}") ||
           dl__token_is(last, ";") || dl__token_is(last, "else") ||
           dl__token_is(last, "do") ||
           (dl__token_is(last, ")") && place->after_condition);
}

static void pass(struct place *place, const struct dl__token *t)
{
    static const char *const words[] = {"if", "for", "while", "switch"};

    if (t->kind == DL__NEWLINE)
        return;
    if (dl__token_is(t, "(")) {
        place->conditions <<= 1;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++)
            place->conditions |= dl__token_is(&place->last, words[i]);
    } else if (dl__token_is(t, ")")) {
        place->after_condition = place->conditions & 1;
        place->conditions >>= 1;
    }
    place->last = *t;
}

static bool is_defined(const struct dl__ast *ast, const char *name)
{
    for (size_t i = 0; i < ast->functions.count; i++)
        if (ast->functions.items[i].is_defined &&
            strcmp(ast->functions.items[i].name, name) == 0)
            return true;
    return false;
}

/* False of most texts, which then need not be searched function by function. */
static bool search_text(struct dl__rewriter *w)
{
    struct dl__lexer lexer = {.text = w->expanded.text, .bytes = w->expanded.bytes};
    struct dl__token t;

    for (size_t i = 0; i < w->ast.functions.count; i++)
        if (!w->ast.functions.items[i].is_defined &&
            !is_defined(&w->ast, w->ast.functions.items[i].name))
            return true;
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (dl__token_is(&t, "printf") || dl__token_is(&t, "enqueue_kernel") ||
            is_atomic_name(&t))
            return true;
    return false;
}

static void add(struct search *s, struct dl__function *f)
{
    for (size_t i = 0; i < s->functions.count; i++)
        if (s->functions.items[i] == f)
            return;
    DL__PUSH(&s->w->arena, &s->functions, f);
}

/* A name of a function, and of all that are called so. */
static void follow(struct search *s, const struct dl__token *t)
{
    struct dl__ast *ast = &s->w->ast;
    bool declared = false, defined = false;

    for (size_t i = 0; i < ast->functions.count; i++) {
        struct dl__function *f = &ast->functions.items[i];

        if (!dl__token_is(t, f->name))
            continue;
        declared = true;
        defined |= f->is_defined;
        if (f->is_defined)
            add(s, f);
    }
    s->more |= declared && !defined;
}

static struct dl__lexer body_of(const struct dl__rewriter *w,
                                const struct dl__function *f)
{
    return (struct dl__lexer){
        .text = w->expanded.text, .bytes = f->body_end, .offset = f->body_at};
}

static struct search search(struct dl__rewriter *w, struct dl__function *f)
{
    struct search s = {.w = w};

    add(&s, f);
    for (size_t i = 0; i < s.functions.count && !s.more; i++) {
        struct dl__lexer lexer = body_of(w, s.functions.items[i]);
        struct place place = {.last.text = "{", .last.bytes = 1};
        struct dl__token t;

        while ((t = dl__lex_next(&lexer)).kind != DL__END) {
            s.draws |= is_atomic_name(&t) && !begins_statement(&place);
            pass(&place, &t);
            s.prints |= dl__token_is(&t, "printf");
            s.more |= dl__token_is(&t, "enqueue_kernel");
            if (t.kind == DL__NAME)
                follow(&s, &t);
        }
    }
    return s;
}

bool dl__does_more_than_write(struct dl__rewriter *w, struct dl__function *f)
{
    struct search s;

    if (w->text_does == DL__NOT_ASKED)
        w->text_does = search_text(w) ? DL__DOES_MORE : DL__WRITES_ALONE;
    if (w->text_does == DL__WRITES_ALONE)
        return false;
    s = search(w, f);
    return s.prints || s.more;
}

bool dl__draws_slots(struct dl__rewriter *w, struct dl__function *f)
{
    if (w->text_does == DL__NOT_ASKED)
        w->text_does = search_text(w) ? DL__DOES_MORE : DL__WRITES_ALONE;
    return w->text_does != DL__WRITES_ALONE && search(w, f).draws;
}

/* ---- what prints ---- */

static bool is_among(const struct dl__printing *all, const struct dl__function *f)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->items[i] == f)
            return true;
    return false;
}

static bool names_one(struct dl__rewriter *w, const struct dl__function *f,
                      const struct dl__printing *all)
{
    struct dl__lexer lexer = body_of(w, f);
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (dl__token_is(&t, "printf"))
            return true;
        for (size_t i = 0; t.kind == DL__NAME && i < all->count; i++)
            if (dl__token_is(&t, all->items[i]->name))
                return true;
    }
    return false;
}

/* A name stands for one function. */
static bool is_overloaded(const struct dl__rewriter *w, const struct dl__function *f)
{
    for (size_t i = 0; i < w->ast.functions.count; i++) {
        const struct dl__function *other = &w->ast.functions.items[i];

        if (other != f && other->is_defined && !strcmp(other->name, f->name))
            return true;
    }
    return false;
}

static int by_place(const void *left, const void *right)
{
    const struct dl__function *const *a = left, *const *b = right;

    return ((*a)->item_at > (*b)->item_at) - ((*a)->item_at < (*b)->item_at);
}

bool dl__only_prints(struct dl__rewriter *w, struct dl__function *f,
                     struct dl__printing *out)
{
    struct search s = search(w, f);
    size_t before;

    *out = (struct dl__printing){0};
    if (!s.prints || s.more)
        return false;
    do {
        before = out->count;
        for (size_t i = 0; i < s.functions.count; i++)
            if (!is_among(out, s.functions.items[i]) &&
                names_one(w, s.functions.items[i], out)) {
                if (is_overloaded(w, s.functions.items[i]) ||
                    (s.functions.items[i]->is_kernel && s.functions.items[i] != f))
                    return false;
                DL__PUSH(&w->arena, out, s.functions.items[i]);
            }
    } while (out->count > before);
    qsort(out->items, out->count, sizeof *out->items, by_place);
    return true;
}
