/* SPDX-License-Identifier: MIT */
#include "annotate/program/beside.h"

#include <string.h>

#include "annotate/text/lex.h"

struct search {
    struct dl__rewriter *w;
    struct {
        struct dl__function **items;
        size_t count, room;
    } functions; /* all that are reached, each once */
    bool found;
};

static bool is_seen(const struct dl__token *t)
{
    return dl__token_is(t, "printf") || dl__token_is(t, "enqueue_kernel");
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
        if (!is_defined(&w->ast, w->ast.functions.items[i].name))
            return true;
    while ((t = dl__lex_next(&lexer)).kind != DL__END)
        if (is_seen(&t))
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
    s->found |= declared && !defined;
}

bool dl__does_more_than_write(struct dl__rewriter *w, struct dl__function *f)
{
    struct search s = {.w = w};

    if (w->text_does == DL__NOT_ASKED)
        w->text_does = search_text(w) ? DL__DOES_MORE : DL__WRITES_ALONE;
    if (w->text_does == DL__WRITES_ALONE)
        return false;
    add(&s, f);
    for (size_t i = 0; i < s.functions.count && !s.found; i++) {
        struct dl__lexer lexer = {.text = w->expanded.text,
                                  .bytes = s.functions.items[i]->body_end,
                                  .offset = s.functions.items[i]->body_at};
        struct dl__token t;

        while ((t = dl__lex_next(&lexer)).kind != DL__END && !s.found) {
            s.found = is_seen(&t);
            if (t.kind == DL__NAME)
                follow(&s, &t);
        }
    }
    return s.found;
}
