/* SPDX-License-Identifier: MIT */
/* Comments that look like annotations and are not: `//dl:`, a block comment, a missing
 * colon. */
#include "lookalike.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "annotate/notes.h"
#include "libdl_intercept/base/locks.h"
#include "libdl_intercept/base/log.h"

/* Of more, nobody reads the warnings. */
enum { WARNED_MAX = 32 };

static struct dl__mutex lock = DL__MUTEX_INITIALIZER;
static uint64_t warned[WARNED_MAX] DL__GUARDED_BY(lock); /* hashes of the lines */
static size_t warned_count DL__GUARDED_BY(lock);

static bool is_first_time(const char *line, size_t bytes)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    bool first;

    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)line[i]) * 1099511628211u;
    dl__mutex_lock(&lock);
    first = warned_count < WARNED_MAX;
    for (size_t i = 0; i < warned_count; i++)
        first = first && warned[i] != hash;
    if (first)
        warned[warned_count++] = hash;
    dl__mutex_unlock(&lock);
    return first;
}

static bool is_word_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A layout's name, however it is written, and a bracket after it. */
static bool names_buffers(const char *at, const char *end)
{
    static const char *const layouts[] = {"aos", "soa", "asta"};

    for (const char *word = at; word < end; word++) {
        size_t bytes = 0;

        while (word + bytes < end && is_word_byte(word[bytes]))
            bytes++;
        for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
            if (bytes == strlen(layouts[i]) && strncasecmp(word, layouts[i], bytes) == 0)
                return memchr(word, '[', (size_t)(end - word)) != NULL;
        word += bytes;
    }
    return false;
}

/* What keeps the comment from being an annotation; NULL: nothing, or it was not meant to
 * be one. */
static const char *what_is_wrong(const char *comment, const char *end)
{
    bool block = comment[1] == '*', decorated;
    const char *at = comment + 2, *word;

    while (at < end && strchr(" \t", *at))
        at++;
    word = at;
    while (word < end && strchr("/*! \t", *word))
        word++;
    decorated = word != at;
    if (end - word < 3 || strncasecmp(word, "dl", 2) != 0 || is_word_byte(word[2]) ||
        !names_buffers(word + 2, end))
        return NULL;
    if (block)
        return "an annotation is a line comment that begins with `//DL:`";
    if (word[0] != 'D' || word[1] != 'L')
        return "`DL` is written in capitals";
    if (word[2] != ':')
        return "a colon must follow `DL`";
    return decorated ? "between `//` and `DL:` there may be blanks only" : NULL;
}

static void warn(const char *text, const char *line, const char *comment,
                 const char *reason, unsigned number)
{
    char what[256];
    const struct dl_remark remark = {DL_WARNING, "<program source>", number,
                                     (unsigned)(comment - line) + 1, what};

    snprintf(
        what, sizeof what,
        "this comment looks like an annotation but is none, so DL ignores it: %s; write "
        "`//DL: AoS: buffer[count]`",
        reason);
    dl__log_remark_in(text, &remark);
}

void dl__lookalikes_warn(const char *text, size_t bytes)
{
    const char *end = text + bytes, *line = text;

    for (unsigned number = 1; line < end; number++) {
        const char *line_end = memchr(line, '\n', (size_t)(end - line));

        if (!line_end)
            line_end = end;
        for (const char *at = line; (at = memchr(at, '/', (size_t)(line_end - at)));
             at++) {
            const char *reason;

            if (line_end - at < 2 || (at[1] != '/' && at[1] != '*'))
                continue;
            reason = what_is_wrong(at, line_end);
            if (reason && is_first_time(line, (size_t)(line_end - line)))
                warn(text, line, at, reason, number);
            if (reason || at[1] == '/')
                break;
        }
        line = line_end + 1;
    }
}
