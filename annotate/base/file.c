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

/* Reads until the end of a file of `room` bytes. */
static char *read_whole(int fd, size_t room, size_t *bytes, const char **reason)
{
    char *text = malloc(room + 2);
    size_t at = 0;
    ssize_t done = text ? 1 : -1;

    while (done > 0 && at <= room) {
        done = read(fd, text + at, room + 1 - at);
        at += done > 0 ? (size_t)done : 0;
        if (done < 0 && errno == EINTR)
            done = 1;
    }
    if (done < 0 || at > room) {
        *reason = done < 0 ? strerror(errno) : "it grows while it is read";
        free(text);
        return NULL;
    }
    text[at] = '\0';
    *bytes = at;
    return text;
}

char *dl__file_read(const char *path, size_t bytes_max, size_t *bytes,
                    const char **reason)
{
    char *text = NULL;
    struct stat info;
    int fd;

    /* Opening some devices does something, and a pipe's writer would see its reader go.
     */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        *reason = S_ISDIR(info.st_mode) ? strerror(EISDIR) : "it is not a regular file";
        return NULL;
    }
    /* Not to wait for the other end, should it be a pipe by now. */
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &info) != 0)
        *reason = strerror(errno);
    else if (!S_ISREG(info.st_mode))
        *reason = "it is not a regular file";
    else if ((unsigned long long)info.st_size > bytes_max)
        *reason = "it is too large";
    else
        text = read_whole(fd, info.st_size ? (size_t)info.st_size : SIZELESS_BYTES, bytes,
                          reason);
    if (fd >= 0)
        close(fd);
    return text;
}
