/* SPDX-License-Identifier: MIT */
/* How many processes the program's user may still start (ulimit -u) and how many files
 * the program may still open (ulimit -n), and how another process is. */
#ifndef DL_INTERCEPT_PROCESSES_H
#define DL_INTERCEPT_PROCESSES_H

#include <stdbool.h>

/* False: few are left. What DL starts of them the program itself could lack, so that it
 * starts none. Unless the limit is small it is not looked at: counting takes a look at
 * each process. */
bool dl__processes_are_left(void);
/* The letter of its state in /proc/PID/stat; 0: it can't be seen. */
char dl__process_state(long process);

/* False: few descriptors are left. A driver that compiles and links in a launch may end
 * the process where it lacks one, so that DL makes none that the program does not. */
bool dl__descriptors_are_left(void);

#endif
