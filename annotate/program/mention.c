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
        if (dl__token_is(&paren, "("))
            (*k)->mentioned_at = t.offset;
    }
}
