/* SPDX-License-Identifier: MIT */
/* Pragmas of program scope hold up to the end of the text: the copy of a helper, which
 * stands further down, must have those of the helper. */
#include "annotate/text/pragma.h"

#include <string.h>

#include "annotate/text/lex.h"

/* The token after, if it is on the same line; else its kind is DL__NEWLINE. */
static struct dl__token next_on_line(struct dl__lexer *lexer)
{
    struct dl__lexer ahead = *lexer;
    struct dl__token t = dl__lex_next(&ahead);

    if (t.kind == DL__NEWLINE || t.kind == DL__END) {
        t.kind = DL__NEWLINE;
        return t;
    }
    *lexer = ahead;
    return t;
}

static bool is_one_of(const struct dl__token *t, const char *const *names)
{
    for (; *names; names++)
        if (dl__token_is(t, *names))
            return true;
    return false;
}

/* All of a text's, found once: there is a question for each function. */
struct dl__pragma_list {
    bool known;
    struct {
        struct event {
            size_t end;
            struct dl__pragmas after;
        } * items;
        size_t count, room;
    } events;
    struct {
        size_t *items;
        size_t count, room;
    } mentions; /* of FP_CONTRACT */
};

struct dl__pragma_list *dl__pragma_list_make(struct dl__arena *arena)
{
    return DL__NEW(arena, struct dl__pragma_list);
}

static void find_events(const struct dl__expanded *expanded, struct dl__pragma_list *list)
{
    static const char *const harmless[] = {"EXTENSION", "unroll",  "once",
                                           "message",   "warning", NULL};
    struct dl__lexer lexer = {.text = expanded->text, .bytes = expanded->bytes};
    struct dl__pragmas found = {"DEFAULT", 0};
    bool line_start = true;
    unsigned braces = 0;
    struct dl__token t;

    while ((t = dl__lex_next(&lexer)).kind != DL__END) {
        bool hash = line_start && dl__token_is(&t, "#");

        line_start = t.kind == DL__NEWLINE;
        braces += dl__token_is(&t, "{");
        braces -= dl__token_is(&t, "}") && braces;
        if (!hash || braces)
            continue;
        t = next_on_line(&lexer);
        if (!dl__token_is(&t, "pragma"))
            continue;
        t = next_on_line(&lexer);
        if (dl__token_is(&t, "OPENCL") || dl__token_is(&t, "STDC"))
            t = next_on_line(&lexer);
        if (dl__token_is(&t, "FP_CONTRACT")) {
            t = next_on_line(&lexer);
            found.fp_contract = dl__arena_text(expanded->arena, t.text, t.bytes);
        } else if (!is_one_of(&t, harmless)) {
            found.others++;
        }
        DL__PUSH(expanded->arena, &list->events, ((struct event){lexer.offset, found}));
    }
}

static const struct dl__pragma_list *list_of(const struct dl__expanded *expanded)
{
    static const char word[] = "FP_CONTRACT";
    struct dl__pragma_list *list = expanded->pragmas;
    const char *at = expanded->text, *end = at + expanded->bytes;

    if (list->known)
        return list;
    list->known = true;
    while ((at = memmem(at, (size_t)(end - at), word, sizeof word - 1)) != NULL) {
        DL__PUSH(expanded->arena, &list->mentions, (size_t)(at - expanded->text));
        at++;
    }
    if (memmem(expanded->text, expanded->bytes, "pragma", 6))
        find_events(expanded, list);
    return list;
}

struct dl__pragmas dl__pragmas_at(const struct dl__expanded *expanded, size_t at)
{
    const struct dl__pragma_list *list = list_of(expanded);
    struct dl__pragmas found = {"DEFAULT", 0};

    for (size_t i = 0; i < list->events.count && list->events.items[i].end <= at; i++)
        found = list->events.items[i].after;
    return found;
}

bool dl__fp_contract_before(const struct dl__expanded *expanded, size_t before,
                            size_t *at)
{
    static const size_t word_bytes = sizeof "FP_CONTRACT" - 1;
    const struct dl__pragma_list *list = list_of(expanded);
    bool found = false;

    for (size_t i = 0;
         i < list->mentions.count && list->mentions.items[i] + word_bytes <= before;
         i++) {
        *at = list->mentions.items[i];
        found = true;
    }
    return found;
}
