/* SPDX-License-Identifier: MIT */
/* Printing the glossary's table without its Markdown. */
#include "words.h"

#include <stdbool.h>
#include <string.h>

enum { INDENT = 4, LINE_COLUMNS = 79 };

extern const char run_glossary_text[];

/* Skips what only marks a text up: `*` and backquotes, and of a link `[text](address)`
 * all but the text. Between backquotes, which `quoted` follows, all is text. */
static const char *skip_marks(const char *at, bool *quoted)
{
    for (; *at; at++) {
        if (*at == '`')
            *quoted = !*quoted;
        else if (*quoted)
            break;
        else if (at[0] == ']' && at[1] == '(')
            at += strcspn(at, ")");
        else if (!strchr("*[", *at))
            break;
    }
    return at;
}

/* Prints one cell, its end excluded, with lines that begin at `indent`. */
static void print_cell(const char *at, const char *end, int indent, FILE *to)
{
    bool quoted = false;
    int column = 0;

    while ((at = skip_marks(at, &quoted)) < end) {
        char word[LINE_COLUMNS];
        int bytes = 0;

        for (; at < end && *at != ' ' && bytes < LINE_COLUMNS - 1;
             at = skip_marks(at + 1, &quoted))
            word[bytes++] = *at;
        while (at < end && *at == ' ')
            at++;
        if (column && column + 1 + bytes > LINE_COLUMNS) {
            fputc('\n', to);
            column = 0;
        }
        column += fprintf(to, "%*s%.*s", column ? 1 : indent, "", bytes, word);
    }
    fputc('\n', to);
}

/* Returns the place of the next ` | ` or ` |` of a row, in which `\|` and those in
 * backquotes are text. */
static const char *cell_end(const char *at)
{
    bool quoted = false;

    for (; *at && *at != '\n'; at++) {
        if (*at == '`')
            quoted = !quoted;
        if (!quoted && at[0] == ' ' && at[1] == '|')
            break;
    }
    return at;
}

void words_print(FILE *to)
{
    const char *line = strstr(run_glossary_text, "\n|---|---|\n");

    for (line = line ? line + strlen("\n|---|---|\n") : ""; *line == '|';) {
        const char *word = line + strlen("| "), *word_end = cell_end(word);
        const char *meaning = word_end + strlen(" | "), *end = cell_end(meaning);

        print_cell(word, word_end, 0, to);
        print_cell(meaning, end, INDENT, to);
        line = strchr(end, '\n');
        line = line ? line + 1 : "";
    }
}
