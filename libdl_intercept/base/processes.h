/* SPDX-License-Identifier: MIT */
/* Other processes: how many of them the program's user may still start (ulimit -u), and
 * how one is. */
#ifndef DL_INTERCEPT_PROCESSES_H
#define DL_INTERCEPT_PROCESSES_H

#include <stdbool.h>

/* False: few are left. What DL starts of them the program itself could lack, so that it
 * starts none. Unless the limit is small it is not looked at: counting takes a look at
 * each process. */
bool dl__processes_are_left(void);
/* The letter of its state in /proc/PID/stat; 0: it can't be seen. */
char dl__process_state(long process);

#endif
