/* SPDX-License-Identifier: MIT */
/* Writing to the program's standard error while it still is that. */
#include "standard_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layout/c_locale.h"
#include "quiet_signals.h"

/* A number that no program asks for by name. */
enum { HELD_FROM = 200 };

static struct stat at_start;
static int held = -1, to = STDERR_FILENO;
static enum { UNKNOWN, OPEN, CLOSED } was;

void dl__stderr_begin(void)
{
    int err = errno;

    if (was == UNKNOWN)
        was = fstat(STDERR_FILENO, &at_start) == 0 ? OPEN : CLOSED;
    errno = err;
}

void dl__stderr_hold(void)
{
    int err = errno;

    if (was == OPEN)
        held = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, HELD_FROM);
    errno = err;
}

void dl__stderr_use_held(void)
{
    if (held >= 0)
        to = held;
}

static bool is_the_same(void)
{
    struct stat now;

    return was == OPEN && fstat(to, &now) == 0 && now.st_dev == at_start.st_dev &&
           now.st_ino == at_start.st_ino && now.st_rdev == at_start.st_rdev;
}

void dl__stderr_write(const char *text, size_t bytes)
{
    const int err = errno;
    struct dl__quiet_signals quiet;

    if (is_the_same()) {
        dl__quiet_begin(&quiet);
        dl__quiet_end(&quiet, dl__quiet_write(to, text, bytes));
    }
    errno = err;
}

void dl__stderr_print(void (*print)(FILE *out, void *user), void *user)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    locale_t before;

    if (!out)
        return;
    before = dl_c_locale_enter();
    print(out, user);
    dl_c_locale_leave(before);
    if (fclose(out) == 0)
        dl__stderr_write(text, bytes);
    free(text);
}

void dl__stderr_say(const char *format, ...)
{
    char text[4096];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    dl__stderr_write(text, strlen(text));
}
