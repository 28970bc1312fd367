/* SPDX-License-Identifier: MIT */
/* Writes DL's messages to the file that was the program's standard error when DL was
 * loaded, and to files that its user named, without raising signals. */
#include "log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "layout/c_locale.h"
#include "options/options.h"

/* ---- writing without signals ----
 *
 * A reader that has gone, or a limit of the file's size, must not end the program. The
 * signals of both come to the thread that writes. */

struct quiet_signals {
    sigset_t ours, before, pending;
};

static void quiet_begin(struct quiet_signals *quiet)
{
    sigemptyset(&quiet->ours);
    sigaddset(&quiet->ours, SIGPIPE);
    sigaddset(&quiet->ours, SIGXFSZ);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &quiet->ours, &quiet->before);
}

/* `err`: 0 when every write went well; errno is that. */
static void quiet_end(struct quiet_signals *quiet, int err)
{
    const struct timespec now = {0};

    if (sigismember(&quiet->pending, SIGPIPE))
        sigdelset(&quiet->ours, SIGPIPE);
    if (sigismember(&quiet->pending, SIGXFSZ))
        sigdelset(&quiet->ours, SIGXFSZ);
    if (err)
        sigtimedwait(&quiet->ours, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
    errno = err;
}

/* All of the text, between the two.
 *   returns 0, or what went wrong, as errno has it */
static int quiet_write(int fd, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t done = write(fd, text, bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? errno : EIO;
        text += done;
        bytes -= (size_t)done;
    }
    return 0;
}

/* ---- writing to the program's standard error while it still is that ---- */

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

/* In one write where the system takes it so, so that lines of several threads and
 * processes do not mix. Raises no signal. */
static void stderr_write(const char *text, size_t bytes)
{
    const int err = errno;
    struct quiet_signals quiet;

    if (is_the_same()) {
        quiet_begin(&quiet);
        quiet_end(&quiet, quiet_write(to, text, bytes));
    }
    errno = err;
}

void dl__stderr_say(const char *format, ...)
{
    char text[4096];
    va_list list;

    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    stderr_write(text, strlen(text));
}

/* ---- the log ---- */

static const char *const level_names[] = {"quiet", "error", "warning", "remark", "debug"};

enum { END_BYTES = sizeof " (" DL_WORDS_POINTER ")\n" };

static enum dl__log_level threshold = DL__LOG_WARNING;
static pthread_once_t threshold_once = PTHREAD_ONCE_INIT;
static void (*_Atomic listener)(enum dl__log_level level, const char *line);

static void write_line(const char *line)
{
    stderr_write(line, strlen(line));
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

/* A whole message, without a newline at its end, with the number of its bytes that are
 * for the listener, with room for END_BYTES more. */
static void log_line(enum dl__log_level level, char *line, size_t told_bytes)
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
    char line[ROOM_BYTES + END_BYTES];
    va_list list;
    int used;

    if (!dl__log_is_heard(level))
        return;
    used = snprintf(line, ROOM_BYTES, "dl: %s: ", level_names[level]);
    va_start(list, format);
    vsnprintf(line + used, ROOM_BYTES - (size_t)used, format, list);
    va_end(list);
    log_line(level, line, strlen(line));
}

/* ---- remarks of the transformer, as messages ---- */

void dl__log_remark_in(const char *text, const struct dl_remark *remark)
{
    static const enum dl__log_level levels[] = {DL__LOG_REMARK, DL__LOG_WARNING,
                                                DL__LOG_ERROR};
    enum dl__log_level level = levels[remark->severity];
    const char *name = level_names[level];
    const char *hint = dl_remark_hint(remark);
    char line[2048 + DL_EXCERPT_BYTES + END_BYTES];
    size_t told_bytes;

    if (!dl__log_is_heard(level))
        return;
    if (!remark->file)
        snprintf(line, 2047, "dl: %s: %s", name, remark->text);
    else if (remark->line == 0)
        snprintf(line, 2047, "dl: %s: %s: %s", remark->file, name, remark->text);
    else
        snprintf(line, 2047, "dl: %s:%u:%u: %s: %s", remark->file, remark->line,
                 remark->column, name, remark->text);
    told_bytes = strlen(line);
    if (hint)
        snprintf(line + told_bytes, 2047 - told_bytes, "; to change: %s", hint);
    told_bytes = strlen(line);
    dl_remark_excerpt(remark, text, "dl: ", line + told_bytes);
    log_line(level, line, told_bytes);
}

void dl__log_remark(void *user, const struct dl_remark *remark)
{
    (void)user;
    dl__log_remark_in(NULL, remark);
}

/* ---- files that the user named ---- */

/* In a folder like /tmp anyone may put a link that leads a writer to a file of the
 * writer's. Links of others there are not followed, as Linux does by itself where
 * fs.protected_symlinks is set. */
static bool is_trusted_link(const char *path)
{
    const char *slash = strrchr(path, '/');
    struct stat link, folder;
    char *above;
    bool known;

    if (lstat(path, &link) != 0)
        return false;
    if (link.st_uid == geteuid())
        return true;
    above = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    known = above && stat(above, &folder) == 0;
    free(above);
    return known && (!(folder.st_mode & S_ISVTX) || !(folder.st_mode & S_IWOTH) ||
                     link.st_uid == folder.st_uid);
}

/* How a file is opened: emptied; at its end; or emptied and held, so that others find it
 * so. */
enum opening { REPLACE, APPEND, HOLD };

static bool make_ready(int fd, enum opening how)
{
    struct stat info;
    bool regular;

    if (fcntl(fd, F_SETFL, how == APPEND ? O_APPEND : 0) != 0 || fstat(fd, &info) != 0)
        return false;
    regular = S_ISREG(info.st_mode);
    if (how == HOLD && regular && flock(fd, LOCK_EX | LOCK_NB) != 0)
        return false;
    return how == APPEND || !regular || ftruncate(fd, 0) == 0;
}

/* A pipe that nobody reads is an error and not a wait. */
static int open_file(const char *path, enum opening how)
{
    const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK |
                      (how == APPEND ? O_APPEND : 0);
    int fd = open(path, flags | O_NOFOLLOW, 0666);

    if (fd < 0 && errno == ELOOP) {
        if (is_trusted_link(path))
            fd = open(path, flags, 0666);
        else
            errno = ELOOP;
    }
    if (fd >= 0 && !make_ready(fd, how)) {
        int err = errno;

        close(fd);
        errno = err;
        return -1;
    }
    return fd;
}

/* errors  false, with errno */
static bool write_file(const char *path, enum opening how, const char *text, size_t bytes)
{
    const int fd = open_file(path, how);
    bool done = fd >= 0 && dl__file_append(fd, text, bytes);
    const int err = errno;

    if (fd >= 0 && close(fd) != 0 && done)
        return false;
    errno = err;
    return done;
}

void dl__print_to(const char *path, void (*print)(FILE *out), const char *what,
                  const char *option)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    locale_t before;

    if (!out)
        return;
    before = dl_c_locale_enter();
    print(out);
    dl_c_locale_leave(before);
    if (fclose(out) != 0)
        bytes = 0;
    if (!path)
        stderr_write(text, bytes);
    else if (!write_file(path, REPLACE, text, bytes))
        dl__log(DL__LOG_ERROR, "%s: %s can't be written: %s; give %s another file", path,
                what, strerror(errno), option);
    free(text);
}

bool dl__append_file(const char *path, const char *text)
{
    return write_file(path, APPEND, text, strlen(text));
}

int dl__file_begin(const char *path)
{
    return open_file(path, HOLD);
}

bool dl__file_append(int fd, const char *text, size_t bytes)
{
    struct quiet_signals quiet;
    int err;

    quiet_begin(&quiet);
    err = quiet_write(fd, text, bytes);
    quiet_end(&quiet, err);
    return err == 0;
}
