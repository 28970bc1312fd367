/* SPDX-License-Identifier: MIT */
/* Reading files that a user names. */
#include "annotate/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SIZELESS_BYTES = 64 << 10
}; /* of a file that says it has none, as those of /proc */

/* Reads until the end, or one byte more than there may be; -1: it failed. */
static ssize_t read_whole(int fd, char *text, size_t bytes_max)
{
    size_t at = 0;

    while (at < bytes_max) {
        ssize_t done = read(fd, text + at, bytes_max - at);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return -1;
        if (!done)
            break;
        at += (size_t)done;
    }
    return (ssize_t)at;
}

char *dl__file_read(const char *path, size_t bytes_max, size_t *bytes,
                    const char **reason)
{
    char *text = NULL;
    struct stat info;
    ssize_t done;
    size_t room;
    int fd = -1;

    /* Opening some devices does something, and a pipe's writer would see its reader go.
     */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        *reason = S_ISDIR(info.st_mode) ? strerror(EISDIR) : "it is not a regular file";
        return NULL;
    }
    /* Not to wait for the other end, should it be a pipe by now. */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &info) != 0) {
        *reason = strerror(errno);
        goto out;
    }
    if (!S_ISREG(info.st_mode)) {
        *reason = "it is not a regular file";
        goto out;
    }
    if ((unsigned long long)info.st_size > bytes_max) {
        *reason = "it is too large";
        goto out;
    }
    room = info.st_size ? (size_t)info.st_size : SIZELESS_BYTES;
    text = malloc(room + 2);
    done = text ? read_whole(fd, text, room + 1) : -1;
    if (done < 0 || (size_t)done > room) {
        *reason = done < 0 ? strerror(errno) : "it grows while it is read";
        free(text);
        text = NULL;
        goto out;
    }
    text[done] = '\0';
    *bytes = (size_t)done;
out:
    if (fd >= 0)
        close(fd);
    return text;
}
