/* SPDX-License-Identifier: MIT */
/* The samples' command lines. */
#include "sample.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *value_name(enum sample_option_kind kind)
{
    static const char *const names[] = {"", " TEXT", " N", " XxYxZ", " XxY"};
    return names[kind];
}

static const char *allowed(enum sample_option_kind kind)
{
    static const char *const texts[] = {"no value", "a text", "a whole number from 1",
                                        "three whole numbers from 1, as 64x64x64",
                                        "two whole numbers from 1, as 64x64"};
    return texts[kind];
}

static void print_help(const char *program, const char *summary,
                       const struct sample_option *options, size_t option_count)
{
    printf("usage: %s [OPTION]...\n%s\n\n", program, summary);
    for (size_t i = 0; i < option_count; i++)
        printf("  %s%s\n        %s\n", options[i].name, value_name(options[i].kind),
               options[i].help);
}

/* A decimal number from 1 to INT_MAX, followed by `end`. */
static bool parse_count(const char *text, char end, int *out, const char **rest)
{
    char *stop;
    long number;
    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    number = strtol(text, &stop, 10);
    if (errno || *stop != end || number < 1 || number > INT_MAX)
        return false;
    *out = (int)number;
    *rest = stop + 1;
    return true;
}

static bool parse_value(const struct sample_option *option, const char *text)
{
    int size[3];
    const char *rest = text;
    switch (option->kind) {
    case SAMPLE_TEXT:
        *(const char **)option->out = text;
        return *text != '\0';
    case SAMPLE_COUNT:
        return parse_count(text, '\0', option->out, &rest);
    case SAMPLE_SIZE:
        if (!parse_count(rest, 'x', &size[0], &rest) ||
            !parse_count(rest, 'x', &size[1], &rest) ||
            !parse_count(rest, '\0', &size[2], &rest))
            return false;
        memcpy(option->out, size, sizeof size);
        return true;
    case SAMPLE_AREA:
        if (!parse_count(rest, 'x', &size[0], &rest) ||
            !parse_count(rest, '\0', &size[1], &rest))
            return false;
        memcpy(option->out, size, 2 * sizeof *size);
        return true;
    case SAMPLE_FLAG:
        break;
    }
    return false;
}

bool sample_options_parse(int argc, char **argv, const char *summary,
                          const struct sample_option *options, size_t option_count,
                          bool *help)
{
    *help = false;
    for (int at = 1; at < argc; at++) {
        size_t name_bytes = strcspn(argv[at], "="), i = 0;
        const char *text = argv[at][name_bytes] ? argv[at] + name_bytes + 1 : NULL;
        if (strcmp(argv[at], "--help") == 0) {
            print_help(argv[0], summary, options, option_count);
            *help = true;
            return true;
        }
        while (i < option_count && (strlen(options[i].name) != name_bytes ||
                                    memcmp(options[i].name, argv[at], name_bytes)))
            i++;
        if (i == option_count) {
            fprintf(stderr, "%s: unknown option %s (see --help)\n", argv[0], argv[at]);
            return false;
        }
        if (options[i].kind == SAMPLE_FLAG && !text) {
            *(bool *)options[i].out = true;
            continue;
        }
        if (options[i].kind != SAMPLE_FLAG && !text)
            text = ++at < argc ? argv[at] : "";
        if (!parse_value(&options[i], text)) {
            fprintf(stderr, "%s: bad value '%s' for %s%s; allowed: %s (see --help)\n",
                    argv[0], text, options[i].name, value_name(options[i].kind),
                    allowed(options[i].kind));
            return false;
        }
    }
    return true;
}
