/* SPDX-License-Identifier: MIT */
/* Writing without signals: a reader that has gone, or a limit of the file's size, must
 * not end the program. The signals of both come to the thread that writes. */
#ifndef DL_INTERCEPT_QUIET_SIGNALS_H
#define DL_INTERCEPT_QUIET_SIGNALS_H

#include <signal.h>
#include <stddef.h>

struct dl__quiet_signals {
    sigset_t ours, before, pending;
};

void dl__quiet_begin(struct dl__quiet_signals *quiet);
/* `err`: 0 when every write went well; errno is that. */
void dl__quiet_end(struct dl__quiet_signals *quiet, int err);

/* All of the text, between the two.
 *   returns 0, or what went wrong, as errno has it */
int dl__quiet_write(int fd, const char *text, size_t bytes);

#endif
