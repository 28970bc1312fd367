/* SPDX-License-Identifier: MIT */
/* Filters of system calls (seccomp) that a program puts itself under. */
#ifndef DL_INTERCEPT_SANDBOX_H
#define DL_INTERCEPT_SANDBOX_H

#include <stdbool.h>

/* True where the calling thread has one that was not there when the library was loaded:
 * it may end the process at a call that the program does not make itself. Those that were
 * there, a container has, and they let programs be. */
bool dl__sandbox_is_new(void);

#endif
