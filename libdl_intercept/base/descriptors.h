/* SPDX-License-Identifier: MIT */
/* How many files the program may still open (ulimit -n). */
#ifndef DL_INTERCEPT_DESCRIPTORS_H
#define DL_INTERCEPT_DESCRIPTORS_H

#include <stdbool.h>

/* False: few descriptors are left. A driver that compiles and links in a launch may end
 * the process where it lacks one, so that DL makes none that the program does not. */
bool dl__descriptors_are_left(void);

#endif
