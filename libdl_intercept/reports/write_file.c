/* SPDX-License-Identifier: MIT */
/* Writing a file that the user named, inside somebody else's program. */
#include "write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "layout/c_locale.h"
#include "libdl_intercept/base/log.h"

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

static bool write_quietly(FILE *out, void (*print)(FILE *out), const char *text)
{
    const locale_t before = dl_c_locale_enter();
    struct dl__quiet_signals quiet;
    int err = 0;

    dl__quiet_begin(&quiet);
    if (print)
        print(out);
    else
        fputs(text, out);
    if (fflush(out) != 0 || ferror(out))
        err = errno ? errno : EIO;
    if (fclose(out) != 0 && !err)
        err = errno;
    dl_c_locale_leave(before);
    dl__quiet_end(&quiet, err);
    return err == 0;
}

/* Prints, or else writes the text. */
static bool write_or_append(const char *path, void (*print)(FILE *out), const char *text)
{
    int fd = open_file(path, print ? REPLACE : APPEND);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");

    if (out && (print || setvbuf(out, NULL, _IOFBF, strlen(text) + 1) == 0))
        return write_quietly(out, print, text);
    if (out)
        fclose(out);
    else if (fd >= 0)
        close(fd);
    return false;
}

bool dl__write_file(const char *path, void (*print)(FILE *out))
{
    return write_or_append(path, print, NULL);
}

bool dl__append_file(const char *path, const char *text)
{
    return write_or_append(path, NULL, text);
}

int dl__file_begin(const char *path)
{
    return open_file(path, HOLD);
}

bool dl__file_append(int fd, const char *text, size_t bytes)
{
    struct dl__quiet_signals quiet;
    int err;

    dl__quiet_begin(&quiet);
    err = dl__quiet_write(fd, text, bytes);
    dl__quiet_end(&quiet, err);
    return err == 0;
}
