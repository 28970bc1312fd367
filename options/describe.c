/* SPDX-License-Identifier: MIT */
/* What an option's value may be, in words for people. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "options/options.h"

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

const char *dl_option_usage(enum dl_option option, char *out)
{
    const struct dl_option_row *row = dl_option_row(option);

    snprintf(out, DL_OPTION_TEXT_BYTES, "%s%s%s", or_nothing(row->value),
             row->value && row->words ? "|" : "", or_nothing(row->words));
    return out;
}

static void append(char *out, const char *text, size_t text_bytes)
{
    size_t used = strlen(out);

    snprintf(out + used, DL_OPTION_TEXT_BYTES - used, "%.*s", (int)text_bytes, text);
}

/* "auto, asta or da" of "auto|asta|da" */
static void append_words(char *out, const char *words)
{
    while (*words) {
        size_t bytes = strcspn(words, "|");
        const char *next = words + bytes + (words[bytes] == '|');

        append(out, words, bytes);
        if (*next) {
            const char *link = strchr(next, '|') ? ", " : " or ";
            append(out, link, strlen(link));
        }
        words = next;
    }
}

/* What the type allows; "" where that is nothing but the words. */
static void describe_type(const struct dl_option_row *row, char *out)
{
    switch (row->type) {
    case DL_VALUE_NUMBER:
        snprintf(out, DL_OPTION_TEXT_BYTES, "a number from %" PRIu64 " to %" PRIu64,
                 row->smallest, row->largest);
        break;
    case DL_VALUE_BYTES:
    case DL_VALUE_SHARE:
        snprintf(out, DL_OPTION_TEXT_BYTES,
                 "a number of bytes from %" PRIu64 " to %" PRIu64
                 ", k, M or G may follow%s",
                 row->smallest, row->largest,
                 row->type == DL_VALUE_SHARE ? ", or from 0% to 100%" : "");
        break;
    case DL_VALUE_INPUT:
        strcpy(out, "a file that can be read");
        break;
    case DL_VALUE_LIBRARY:
        strcpy(out, "a library that can be read, or a library's name without a slash");
        break;
    case DL_VALUE_OUTPUT:
        strcpy(out, "a file that can be written");
        break;
    case DL_VALUE_FOLDER:
        strcpy(out, "a folder");
        break;
    default:
        *out = '\0';
        break;
    }
}

const char *dl_option_allowed(enum dl_option option, char *out)
{
    const struct dl_option_row *row = dl_option_row(option);

    if (row->type == DL_VALUE_FLAG) {
        strcpy(out, "no value");
        return out;
    }
    describe_type(row, out);
    if (row->words) {
        if (*out)
            append(out, ", or ", strlen(", or "));
        append_words(out, row->words);
    }
    return out;
}
