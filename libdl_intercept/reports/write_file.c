/* Writing a file that the user named, inside somebody else's program. */
#include "write_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
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

/* A pipe that nobody reads is an error and not a wait. */
static int open_file(const char *path, bool append)
{
    const int flags =
        O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (append ? O_APPEND : 0);
    int fd = open(path, flags | O_NOFOLLOW, 0666);
    struct stat info;

    if (fd < 0 && errno == ELOOP) {
        if (is_trusted_link(path))
            fd = open(path, flags, 0666);
        else
            errno = ELOOP;
    }
    if (fd < 0)
        return fd;
    if (fcntl(fd, F_SETFL, append ? O_APPEND : 0) != 0 || fstat(fd, &info) != 0 ||
        (!append && S_ISREG(info.st_mode) && ftruncate(fd, 0) != 0)) {
        int err = errno;

        close(fd);
        errno = err;
        return -1;
    }
    return fd;
}

/* A reader that has gone, or a limit of the file's size, must not end the program by a signal. The
 * two come to the thread that writes. */
static bool write_quietly(FILE *out, void (*print)(FILE *out), const char *text)
{
    const struct timespec now = {0};
    sigset_t ours, before, pending;
    int err = 0;

    sigemptyset(&ours);
    sigaddset(&ours, SIGPIPE);
    sigaddset(&ours, SIGXFSZ);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &ours, &before);
    if (print)
        print(out);
    else
        fputs(text, out);
    if (fflush(out) != 0 || ferror(out))
        err = errno ? errno : EIO;
    if (fclose(out) != 0 && !err)
        err = errno;
    if (sigismember(&pending, SIGPIPE))
        sigdelset(&ours, SIGPIPE);
    if (sigismember(&pending, SIGXFSZ))
        sigdelset(&ours, SIGXFSZ);
    if (err)
        sigtimedwait(&ours, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = err;
    return err == 0;
}

/* Prints, or else writes the text. */
static bool write_or_append(const char *path, void (*print)(FILE *out), const char *text)
{
    int fd = open_file(path, !print);
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
