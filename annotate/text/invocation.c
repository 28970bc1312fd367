/* SPDX-License-Identifier: MIT */
/* Macro invocations in the program's text, whose arguments may stand lines further down.
 */
#include "annotate/text/reader.h"

static struct dl__item *last_item(struct dl__item *list)
{
    while (list && list->next)
        list = list->next;
    return list;
}

/* Appends the file's next tokens, over line breaks, until `depth` open parentheses are
 * closed. */
static void gather_until_closed(struct dl__reader *r, struct dl__item **tail,
                                unsigned depth)
{
    size_t start = r->lexer.offset;
    bool line_start = false, spaced = false;

    while (depth) {
        struct dl__token t = dl__lex_next(&r->lexer);

        if (t.kind == DL__NEWLINE) {
            line_start = spaced = true;
            continue;
        }
        if (t.kind == DL__END)
            dl__pp_give_up(r->pp, r->file, start, "a macro invocation is not closed");
        if (line_start && dl__token_is(&t, "#"))
            dl__pp_give_up(r->pp, r->file, t.offset,
                           "a directive inside a macro invocation is not understood");
        *tail = dl__item_make(r->pp->arena, &t);
        (*tail)->spaced |= spaced;
        tail = &(*tail)->next;
        line_start = spaced = false;
        depth += dl__token_is(&t, "(");
        depth -= dl__token_is(&t, ")");
    }
}

/* If the next token, maybe some lines on, is `(`, appends the tokens up to its `)`. */
static bool gather_arguments(struct dl__reader *r, struct dl__item **tail)
{
    struct dl__lexer saved = r->lexer;
    struct dl__token t = dl__lex_next(&r->lexer);

    while (t.kind == DL__NEWLINE)
        t = dl__lex_next(&r->lexer);
    if (!dl__token_is(&t, "(")) {
        r->lexer = saved;
        return false;
    }
    *tail = dl__item_make(r->pp->arena, &t);
    gather_until_closed(r, &(*tail)->next, 1);
    return true;
}

/* How many parentheses are open at the end of an expansion that ends inside the arguments
 * of an invocation; 0 when it does not. */
static unsigned open_arguments(struct dl__pp *pp, const struct dl__item *list)
{
    for (const struct dl__item *t = list; t; t = t->next) {
        const struct dl__macro *m = dl__macro_of_item(&pp->macros, t);
        unsigned depth = 0;

        if (!m || !m->function || m->compiler || !dl__item_is(t->next, "("))
            continue;
        for (const struct dl__item *a = t->next; a; a = a->next) {
            depth += dl__item_is(a, "(");
            depth -= dl__item_is(a, ")");
            if (!depth)
                break;
        }
        if (depth)
            return depth;
    }
    return 0;
}

void dl__pp_invoke(struct dl__reader *r, const struct dl__token *name,
                   struct dl__macro *m)
{
    struct dl__pp *pp = r->pp;
    struct dl__item *list = dl__item_make(pp->arena, name), *last;
    char first[2] = {0};
    size_t at;

    if (m->function && !gather_arguments(r, &list->next))
        return;
    list = dl__macro_expand(&pp->macros, list, false);
    for (;;) {
        struct dl__macro *again;

        unsigned depth = open_arguments(pp, list);

        last = last_item(list);
        again = last ? dl__macro_of_item(&pp->macros, last) : NULL;
        if (depth)
            gather_until_closed(r, &last->next, depth);
        else if (!again || !again->function || again->compiler ||
                 !gather_arguments(r, &last->next))
            break;
        list = dl__macro_expand(&pp->macros, list, false);
    }
    dl__pp_copy_until(r, name->offset);
    at = pp->text.count;
    if (list) {
        first[0] = list->text[0];
        if (dl__tokens_stick(pp->text.items ? pp->text.items : "", pp->text.count, first))
            dl__buf_puts(&pp->text, " ");
        dl__items_print(list, &pp->text);
        if (r->lexer.offset < r->file->bytes) {
            first[0] = r->file->text[r->lexer.offset];
            if (dl__tokens_stick(pp->text.items, pp->text.count, first))
                dl__buf_puts(&pp->text, " ");
        }
    }
    dl__pp_add_newlines(r, name->offset, r->lexer.offset);
    dl__pp_add_segment(r, DL__EXPANSION, at, name->offset, r->lexer.offset);
}
