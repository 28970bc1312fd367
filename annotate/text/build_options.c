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

static void add_define(struct dl__arena *arena, struct dl__build_options *out, char *text)
{
    struct dl__define define = {.name = text, .value = "1"};
    char *equals = strchr(text, '=');

    if (equals) {
        *equals = '\0';
        define.value = equals + 1;
    }
    DL__PUSH(arena, &out->defines, define);
}

/* The argument of an option that may be glued to it or stand in the next word. */
static char *argument(struct dl__arena *arena, char *word, const char **text)
{
    return word[2] ? word + 2 : next_word(arena, text);
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
        if (!strncmp(word, "-D", 2)) {
            char *define = argument(arena, word, &text);

            if (define && *define)
                add_define(arena, out, define);
        } else if (!strncmp(word, "-U", 2)) {
            struct dl__define undefine = {.undefine = true};

            undefine.name = argument(arena, word, &text);
            if (undefine.name)
                DL__PUSH(arena, &out->defines, undefine);
        } else if (!strncmp(word, "-I", 2)) {
            const char *dir = argument(arena, word, &text);

            if (dir)
                DL__PUSH(arena, &out->include_dirs, dir);
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
