/* Writing DL's lines to standard error. */
#include "log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const level_names[] = {"quiet", "error", "warning", "remark", "debug"};

static enum dl__log_level threshold = DL__LOG_WARNING;
static pthread_once_t threshold_once = PTHREAD_ONCE_INIT;

/* One write a line, so that lines of several threads and processes don't mix. */
static void write_line(const char *line)
{
    size_t left = strlen(line);

    while (left > 0) {
        ssize_t done = write(STDERR_FILENO, line, left);
        if (done <= 0)
            return;
        line += done;
        left -= (size_t)done;
    }
}

static void read_threshold(void)
{
    const char *text = secure_getenv("DL_LOG");

    if (!text || !*text)
        return;
    for (size_t i = 0; i < sizeof level_names / sizeof *level_names; i++) {
        if (strcmp(text, level_names[i]) == 0) {
            threshold = (enum dl__log_level)i;
            return;
        }
    }
    char line[256];
    snprintf(
        line, sizeof line,
        "dl: warning: DL_LOG=%.100s is not one of quiet, error, warning, remark, debug\n",
        text);
    write_line(line);
}

enum dl__log_level dl__log_threshold(void)
{
    pthread_once(&threshold_once, read_threshold);
    return threshold;
}

void dl__log(enum dl__log_level level, const char *format, ...)
{
    char line[2048];
    va_list list;
    int used;

    if (level > dl__log_threshold())
        return;
    used = snprintf(line, sizeof line, "dl: %s: ", level_names[level]);
    va_start(list, format);
    vsnprintf(line + used, sizeof line - (size_t)used - 1, format, list);
    va_end(list);
    strcat(line, "\n");
    write_line(line);
}

void dl__log_remark(void *user, const struct dl_remark *remark)
{
    static const enum dl__log_level levels[] = {DL__LOG_REMARK, DL__LOG_WARNING,
                                                DL__LOG_ERROR};
    enum dl__log_level level = levels[remark->severity];
    char line[2048];

    (void)user;
    if (level > dl__log_threshold())
        return;
    if (!remark->file)
        snprintf(line, sizeof line, "dl: %s: %s\n", level_names[level], remark->text);
    else if (remark->line == 0)
        snprintf(line, sizeof line, "dl: %s: %s: %s\n", remark->file, level_names[level],
                 remark->text);
    else
        snprintf(line, sizeof line, "dl: %s:%u:%u: %s: %s\n", remark->file, remark->line,
                 remark->column, level_names[level], remark->text);
    write_line(line);
}
