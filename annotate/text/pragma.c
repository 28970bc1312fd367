/* SPDX-License-Identifier: MIT */
/* Pragmas of program scope hold up to the end of the text: the copy of a helper, which stands
 * further down, must have those of the helper. */
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

struct dl__pragmas dl__pragmas_at(const struct dl__expanded *expanded, size_t at)
{
    static const char *const harmless[] = {"EXTENSION", "unroll",  "once",
                                           "message",   "warning", NULL};
    struct dl__lexer lexer = {.text = expanded->text, .bytes = at};
    struct dl__pragmas found = {"DEFAULT", 0};
    bool line_start = true;
    unsigned braces = 0;
    struct dl__token t;

    if (!memmem(expanded->text, expanded->bytes, "pragma", 6))
        return found;
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
    }
    return found;
}
