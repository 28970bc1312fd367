/* SPDX-License-Identifier: MIT */
/* Writing a file that the user named, at the program's end. */
#ifndef DL_INTERCEPT_WRITE_FILE_H
#define DL_INTERCEPT_WRITE_FILE_H

#include <stdbool.h>
#include <stdio.h>

/* Replaces the contents of the file, which need not be there, by what `print` prints.
 * Follows no link that somebody else may have put into a folder for all, does not wait
 * for a reader, and raises no signal.
 *   errors  false, with errno; the file may be there in part */
bool dl__write_file(const char *path, void (*print)(FILE *out));
/* Appends a text in one write, so that those of several processes do not mix. The same of
 * links, waiting and signals.
 *   errors  false, with errno */
bool dl__append_file(const char *path, const char *text);

/* The same in pieces: empties the file and returns its descriptor, which the caller
 * closes. While it is open, no other process can do so.
 *   errors  -1, with errno; EWOULDBLOCK: another process has it */
int dl__file_begin(const char *path);
/* errors  false, with errno */
bool dl__file_append(int fd, const char *text, size_t bytes);

#endif
