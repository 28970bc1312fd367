/* SPDX-License-Identifier: MIT */
/* Keeping SIGPIPE and SIGXFSZ away from a thread while it writes. */
#include "quiet_signals.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

void dl__quiet_begin(struct dl__quiet_signals *quiet)
{
    sigemptyset(&quiet->ours);
    sigaddset(&quiet->ours, SIGPIPE);
    sigaddset(&quiet->ours, SIGXFSZ);
    sigpending(&quiet->pending);
    pthread_sigmask(SIG_BLOCK, &quiet->ours, &quiet->before);
}

void dl__quiet_end(struct dl__quiet_signals *quiet, int err)
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

int dl__quiet_write(int fd, const char *text, size_t bytes)
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
