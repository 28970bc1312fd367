/* SPDX-License-Identifier: MIT */
/* Reads a program's build options. */
#include "annotate/text/build_options.h"

#include <string.h>

/* The next word, without its quotes; NULL at the end. */
static char *next_word(struct dl__arena *arena, const char **text)
{
    const char *at = *text;
    char quote = 0;
    char *word, *to;

    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    if (!*at)
        return NULL;
    word = to = dl__arena_alloc(arena, strlen(at) + 1);
    for (; *at && (quote || !(*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r'));
         at++) {
        if (quote ? *at == quote : (*at == '"' || *at == '\''))
            quote = quote ? 0 : *at;
        else if (*at == '\\' && at[1] && quote != '\'')
            *to++ = *++at;
        else
            *to++ = *at;
    }
    *text = at;
    return word;
}

/* -D, -U or -I, whose argument may be glued to it or stand in the next word. */
static void add_argument(struct dl__arena *arena, char option, char *argument,
                         struct dl__build_options *out)
{
    bool undefine = option == 'U';
    struct dl__define define = {argument, undefine ? NULL : "1", undefine};
    char *equals = option == 'D' ? strchr(argument, '=') : NULL;

    if (equals) {
        *equals = '\0';
        define.value = equals + 1;
    }
    if (option == 'I')
        DL__PUSH(arena, &out->include_dirs, argument);
    else if (undefine || *argument)
        DL__PUSH(arena, &out->defines, define);
}

void dl__build_options_parse(struct dl__arena *arena, const char *text,
                             struct dl__build_options *out)
{
    /* The first four let results differ. */
    enum { RELAXING = 4 };
    static const char *const kept[] = {
        "-cl-fast-relaxed-math", "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
        "-cl-mad-enable",        "-cl-single-precision-constant", "-cl-no-signed-zeros",
        "-cl-denorms-are-zero"};
    char *word;

    memset(out, 0, sizeof *out);
    if (!text)
        return;
    while ((word = next_word(arena, &text)) != NULL) {
        if (word[0] == '-' && (word[1] == 'D' || word[1] == 'U' || word[1] == 'I')) {
            char *argument = word[2] ? word + 2 : next_word(arena, &text);

            if (argument)
                add_argument(arena, word[1], argument, out);
        } else if (!strncmp(word, "-cl-std=", 8)) {
            out->cl_std = word + 8;
        } else if (!strncmp(word, "-i", 2) || !strncmp(word, "--i", 3)) {
            out->includes = word;
        }
        for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
            if (strcmp(word, kept[i]))
                continue;
            DL__PUSH(arena, &out->flags, kept[i]);
            if (i < RELAXING)
                out->relaxed = kept[i];
        }
    }
}
