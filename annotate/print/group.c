/* SPDX-License-Identifier: MIT */
/* Which bytes of a file transformed kernels take up, where macros and conditionals have a
 * part in it. */
#include "annotate/print/group.h"

#include "annotate/text/lex.h"

size_t dl__made_from(struct dl__rewriter *w, size_t at)
{
    const struct dl__segment *s = dl__expanded_segment(&w->expanded, at);

    return s->kind == DL__EXPANSION ? s->at : at;
}

size_t dl__made_until(struct dl__rewriter *w, size_t end)
{
    const struct dl__segment *s = dl__expanded_segment(&w->expanded, end - 1);

    return s->kind == DL__EXPANSION ? s->end : end;
}

size_t dl__group_end(struct dl__rewriter *w, size_t first)
{
    size_t until = dl__made_until(w, w->kernels.items[first].function->body_end);
    size_t end = first + 1;

    for (size_t i = end; i < w->kernels.count; i++) {
        const struct dl__kernel *k = &w->kernels.items[i];

        if (dl__made_from(w, k->function->item_at) >= until)
            break;
        if (!k->unit)
            continue;
        until = dl__made_until(w, k->function->body_end);
        end = i + 1;
    }
    return end;
}

void dl__count_conditionals(const struct dl__file *file, size_t at, size_t until,
                            unsigned *ended, unsigned *begun)
{
    struct dl__lexer lexer = {.text = file->text, .bytes = until, .offset = at};
    bool line_start = false;
    struct dl__token t;

    *ended = *begun = 0;
    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        if (line_start && dl__token_is(&t, "#")) {
            t = dl__lex_next(&lexer);
            *begun += dl__token_is(&t, "if") || dl__token_is(&t, "ifdef") ||
                      dl__token_is(&t, "ifndef");
            if (dl__token_is(&t, "endif"))
                *(*begun ? begun : ended) += *begun ? -1u : 1u;
        }
        line_start = t.kind == DL__NEWLINE;
    }
}

size_t dl__origin_behind(struct dl__rewriter *w, size_t end)
{
    const struct dl__segment *last = dl__expanded_segment(&w->expanded, end - 1);

    return last->kind == DL__EXPANSION
               ? last->origin_end
               : dl__expanded_place(&w->expanded, end - 1).offset + 1;
}
