/* SPDX-License-Identifier: MIT */
/* Fills in the forms of random programs: text with words, choices and numbers to be put
 * in. */
#include "random_parts.h"

#include <string.h>

/* Where the parenthesis before `at` is closed. */
static const char *end_of_choice(const char *at)
{
    for (unsigned depth = 1;; at++) {
        depth += *at == '(';
        depth -= *at == ')';
        if (depth == 0)
            return at;
    }
}

/* Prints one of "a|b|c", which lies before `end`. */
static void print_choice(struct program *p, FILE *out, const char *at, const char *end)
{
    unsigned count = 1, chosen;
    const char *bar;

    for (bar = at; bar < end; bar++)
        count += *bar == '|';
    for (chosen = random_pick(&p->random, count); chosen > 0; chosen--)
        at = strchr(at, '|') + 1;
    bar = memchr(at, '|', (size_t)(end - at));
    fprintf(out, "%.*s", (int)((bar ? bar : end) - at), at);
}

void random_fill(struct program *p, const char *form, const struct random_words *words,
                 FILE *out)
{
    const char *end;

    for (const char *at = form; *at; at++) {
        if (*at != '$') {
            fputc(*at, out);
            continue;
        }
        switch (*++at) {
        case 'i':
            fputs(words->index, out);
            break;
        case 'p':
            fputs(words->path, out);
            break;
        case 'm':
            fputs(words->path + 1, out);
            break;
        case 'o':
            fputs(p->own, out);
            break;
        case 'O':
            fputs(p->own + 1, out);
            break;
        case 't':
            fputs(words->target, out);
            break;
        case 'a':
            fputs(words->a, out);
            break;
        case 'b':
            fputs(words->b, out);
            break;
        case '(':
            end = end_of_choice(at + 1);
            print_choice(p, out, at + 1, end);
            at = end;
            break;
        case '<':
            fprintf(out, "%u", random_pick(&p->random, (unsigned)(*++at - '0')));
            break;
        default:
            fprintf(out, "%u", 1 + random_pick(&p->random, (unsigned)(*at - '0')));
        }
    }
}
