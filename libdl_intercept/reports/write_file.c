/* SPDX-License-Identifier: MIT */
/* Writing a file that the user named, inside somebody else's program. */
#include "write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* In a folder like /tmp anyone may put a link that leads a writer to a file of the writer's. Links
 * of others there are not followed, as Linux does by itself where fs.protected_symlinks is set. */
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

/* How a file is opened: emptied; at its end; or emptied and held, so that others find it so. */
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

/* A reader that has gone, or a limit of the file's size, must not end the program by a signal. The
 * two come to the thread that writes. */
struct quiet {
    sigset_t ours, before, pending;
};

static void quiet_begin(struct quiet *quiet)
{
    sigemptyset(&quiet->ours);
    sigaddset(&quiet->ours, SIGPIPE);
    sigaddset(&quiet->ours, SIGXFSZ);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &quiet->ours, &quiet->before);
}

static void quiet_end(struct quiet *quiet, int err)
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

static bool write_quietly(FILE *out, void (*print)(FILE *out), const char *text)
{
    struct quiet quiet;
    int err = 0;

    quiet_begin(&quiet);
    if (print)
        print(out);
    else
        fputs(text, out);
    if (fflush(out) != 0 || ferror(out))
        err = errno ? errno : EIO;
    if (fclose(out) != 0 && !err)
        err = errno;
    quiet_end(&quiet, err);
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
    struct quiet quiet;
    int err = 0;

    quiet_begin(&quiet);
    while (bytes > 0 && !err) {
        ssize_t done = write(fd, text, bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            err = done < 0 ? errno : EIO;
            break;
        }
        text += done;
        bytes -= (size_t)done;
    }
    quiet_end(&quiet, err);
    return err == 0;
}
