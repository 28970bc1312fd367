/* SPDX-License-Identifier: MIT */
/* Writing DL's lines to standard error. */
#include "log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "options/options.h"
#include "standard_error.h"

const char *const dl__log_level_names[] = {"quiet", "error", "warning", "remark",
                                           "debug"};

static enum dl__log_level threshold = DL__LOG_WARNING;
static pthread_once_t threshold_once = PTHREAD_ONCE_INIT;
static void (*_Atomic listener)(enum dl__log_level level, const char *line);

static void write_line(const char *line)
{
    dl__stderr_write(line, strlen(line));
}

/* The levels are the option's words, in that order. */
static void read_threshold(void)
{
    char wrong[DL_OPTION_TEXT_BYTES], line[DL_OPTION_TEXT_BYTES + 32];
    struct dl_option_value value;

    if (dl_option_read(DL_OPTION_log, &value, wrong) != DL_OK) {
        snprintf(line, sizeof line, "dl: warning: %s\n", wrong);
        write_line(line);
    }
    if (value.text)
        threshold = (enum dl__log_level)value.number;
    dl_option_value_free(&value);
}

enum dl__log_level dl__log_threshold(void)
{
    pthread_once(&threshold_once, read_threshold);
    return threshold;
}

void dl__log_listen(void (*listen)(enum dl__log_level level, const char *line))
{
    atomic_store(&listener, listen);
}

/* True when the same has been said before; threads may meet it at once. When the table is
 * full, all is said. */
static bool was_said(const char *line)
{
    enum { SAID_MAX = 256 };
    static _Atomic uint64_t said[SAID_MAX];
    uint64_t hash = 14695981039346656037u; /* FNV-1a */

    for (; *line; line++)
        hash = (hash ^ (unsigned char)*line) * 1099511628211u;
    for (size_t i = 0; i < SAID_MAX; i++) {
        uint64_t there = 0;

        if (atomic_compare_exchange_strong(&said[i], &there, hash))
            return false;
        if (there == hash)
            return true;
    }
    return false;
}

bool dl__log_words_are_new(const char *text)
{
    static atomic_bool were_said;

    return !atomic_load(&were_said) && dl_words_are_in(text) &&
           !atomic_exchange(&were_said, true);
}

/* Behind what the listener is told, in front of an excerpt of the source, whose words are
 * the program's. */
static void point_to_words(char *line, size_t told_bytes)
{
    static const char pointer[] = " (" DL_WORDS_POINTER ")";
    const size_t bytes = sizeof pointer - 1;
    const char excerpt = line[told_bytes];
    bool are_new;

    line[told_bytes] = '\0';
    are_new = dl__log_words_are_new(line);
    line[told_bytes] = excerpt;
    if (!are_new)
        return;
    memmove(line + told_bytes + bytes, line + told_bytes, strlen(line + told_bytes) + 1);
    memcpy(line + told_bytes, pointer, bytes);
}

bool dl__log_is_heard(enum dl__log_level level)
{
    return level <= dl__log_threshold() || atomic_load(&listener);
}

void dl__log_line(enum dl__log_level level, char *line, size_t told_bytes)
{
    void (*listen)(enum dl__log_level level, const char *text) = atomic_load(&listener);

    if (level == DL__LOG_WARNING && was_said(line))
        return;
    if (level <= dl__log_threshold()) {
        point_to_words(line, told_bytes);
        strcat(line, "\n");
        write_line(line);
    }
    line[told_bytes] = '\0';
    if (listen)
        listen(level, line);
}

void dl__log(enum dl__log_level level, const char *format, ...)
{
    enum { ROOM_BYTES = 2048 };
    char line[ROOM_BYTES + DL__LOG_END_BYTES];
    va_list list;
    int used;

    if (!dl__log_is_heard(level))
        return;
    used = snprintf(line, ROOM_BYTES, "dl: %s: ", dl__log_level_names[level]);
    va_start(list, format);
    vsnprintf(line + used, ROOM_BYTES - (size_t)used, format, list);
    va_end(list);
    dl__log_line(level, line, strlen(line));
}
