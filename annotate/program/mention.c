/* SPDX-License-Identifier: MIT */
/* Where else a text mentions its kernels. */
#include "annotate/program/mention.h"

#include <stdlib.h>
#include <string.h>

#include "annotate/text/lex.h"

static int by_name(const void *left, const void *right)
{
    const struct dl__kernel *const *a = left, *const *b = right;

    return strcmp((*a)->function->name, (*b)->function->name);
}

static int name_to_kernel(const void *left, const void *right)
{
    const struct dl__token *name = left;
    const struct dl__kernel *const *k = right;
    int order = strncmp(name->text, (*k)->function->name, name->bytes);

    return order ? order : -(int)((*k)->function->name[name->bytes] != '\0');
}

/* What stands in an attribute is no function. */
static void skip_attribute(struct dl__lexer *lexer)
{
    unsigned depth = 0;
    struct dl__token t;

    do {
        t = dl__lex_next(lexer);
        depth += dl__token_is(&t, "(");
        depth -= depth && dl__token_is(&t, ")");
    } while (t.kind != DL__END && (depth || t.kind == DL__NEWLINE));
}

/* The declaration without a body whose name stands there; NULL: it is none. */
static const struct dl__function *declared_at(const struct dl__ast *ast, size_t at)
{
    for (size_t i = 0; i < ast->functions.count; i++)
        if (ast->functions.items[i].name_at == at && !ast->functions.items[i].is_defined)
            return &ast->functions.items[i];
    return NULL;
}

/* Behind the `;` of a declaration of one function without attributes, which may have
 * reasons of their own; 0: it is none. */
static size_t declaration_end(struct dl__rewriter *w, const struct dl__function *f)
{
    struct dl__lexer lexer = {
        .text = w->expanded.text, .bytes = w->expanded.bytes, .offset = f->item_at};
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END && t.offset < f->close_at)
        if (dl__token_is(&t, "__attribute__") || dl__token_is(&t, "__attribute"))
            return 0;
    do
        t = dl__lex_next(&lexer);
    while (t.kind == DL__NEWLINE);
    return dl__token_is(&t, ";") ? lexer.offset : 0;
}

/* The rewritten kernel has other arguments than it was declared with, and needs no
 * declaration: where nothing calls it, the declaration goes. False: it can't be taken out
 * of the text. */
static bool take_out(struct dl__rewriter *w, struct dl__kernel *k, size_t name_at)
{
    const struct dl__function *f = declared_at(&w->ast, name_at);
    size_t end = f ? declaration_end(w, f) : 0;
    const struct dl__segment *first, *last;
    struct dl__note *note;

    if (!end)
        return false;
    first = dl__expanded_segment(&w->expanded, f->item_at);
    last = dl__expanded_segment(&w->expanded, end - 1);
    for (const struct dl__segment *s = first; s <= last; s++)
        if (s->file != first->file ||
            (s->kind != DL__VERBATIM &&
             (s->kind != DL__EXPANSION || s == first || s == last)))
            return false;
    note = DL__NEW(&w->arena, struct dl__note);
    note->file = first->file;
    note->origin = first->origin + (f->item_at - first->at);
    note->origin_end = last->origin + (end - last->at);
    DL__PUSH(&w->arena, &k->declarations, note);
    return true;
}

void dl__find_mentions(struct dl__rewriter *w)
{
    struct dl__lexer lexer = {.text = w->expanded.text, .bytes = w->expanded.bytes};
    struct dl__kernel **kernels =
        dl__arena_alloc(&w->arena, w->kernels.count * sizeof(struct dl__kernel *));
    struct dl__token t;

    for (size_t i = 0; i < w->kernels.count; i++) {
        kernels[i] = &w->kernels.items[i];
        kernels[i]->mentioned_at = SIZE_MAX;
    }
    qsort(kernels, w->kernels.count, sizeof(struct dl__kernel *), by_name);
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        struct dl__lexer ahead = lexer;
        struct dl__kernel **k;
        struct dl__token paren;

        if (dl__token_is(&t, "__attribute__") || dl__token_is(&t, "__attribute"))
            skip_attribute(&lexer);
        if (t.kind != DL__NAME)
            continue;
        k = bsearch(&t, kernels, w->kernels.count, sizeof(struct dl__kernel *),
                    name_to_kernel);
        if (!k || (*k)->mentioned_at != SIZE_MAX || t.offset == (*k)->function->name_at)
            continue;
        paren = dl__lex_next(&ahead);
        if (dl__token_is(&paren, "(") && !take_out(w, *k, t.offset))
            (*k)->mentioned_at = t.offset;
    }
}
