/* SPDX-License-Identifier: MIT */
/* The program's standard error, as DL was loaded with it.
 *
 * A program may close descriptor 2 and open a file of its own there, or a connection:
 * what DL has to say must not stand in it. So nothing is written once descriptor 2 is not
 * the file that it was. */
#ifndef DL_INTERCEPT_STANDARD_ERROR_H
#define DL_INTERCEPT_STANDARD_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Notes what descriptor 2 is. When the library is loaded; a second time does nothing. */
void dl__stderr_begin(void);

/* Keeps a descriptor of DL's own to it, for what is to be said when the program's own
 * exit handlers have closed descriptor 2; and writes there from now on. */
void dl__stderr_hold(void);
void dl__stderr_use_held(void);

/* In one write where the system takes it so, so that lines of several threads and
 * processes do not mix. Raises no signal. */
void dl__stderr_write(const char *text, size_t bytes);

/* The same of what `print` prints, with dots in its numbers. */
void dl__stderr_print(void (*print)(FILE *out, void *user), void *user);

/* A line or more, of 4095 bytes at most. */
void dl__stderr_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
