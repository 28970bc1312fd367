/* SPDX-License-Identifier: MIT */
/* DL's messages, one line each, prefixed "dl: ", on standard error; and the files that DL
 * writes. */
#ifndef DL_INTERCEPT_LOG_H
#define DL_INTERCEPT_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "annotate/notes.h"
#include "layout/words.h"

/* In the order of --log: a level shows itself and all before it. The same warning is
 * shown once. */
enum dl__log_level {
    DL__LOG_QUIET,
    DL__LOG_ERROR,
    DL__LOG_WARNING,
    DL__LOG_REMARK,
    DL__LOG_DEBUG
};

/* The level of DL_LOG in the environment, read once; an unreadable value is a warning's
 * worth of a line and means the default. Threads: safe. */
enum dl__log_level dl__log_threshold(void);

void dl__log(enum dl__log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* True of the first text in the process that has a word of the glossary: DL_WORDS_POINTER
 * belongs to it. Messages ask by themselves. */
bool dl__log_words_are_new(const char *text);

/* Is told every message, shown or not, without the newline. NULL: nobody. Before main. */
void dl__log_listen(void (*listen)(enum dl__log_level level, const char *line));

/* Whether anybody hears a message of this level. */
bool dl__log_is_heard(enum dl__log_level level);

/* The dl_remark_fn of everything that remarks inside the shim; `user` is unused. */
void dl__log_remark(void *user, const struct dl_remark *remark);
/* The same with the line of `text` that a remark on the program's source is about; NULL:
 * it is not at hand. */
void dl__log_remark_in(const char *text, const struct dl_remark *remark);

/* The program's standard error, as DL was loaded with it.
 *
 * A program may close descriptor 2 and open a file of its own there, or a connection:
 * what DL has to say must not stand in it. So nothing is written once descriptor 2 is not
 * the file that it was. */

/* Notes what descriptor 2 is. When the library is loaded; a second time does nothing. */
void dl__stderr_begin(void);

/* Keeps a descriptor of DL's own to it, for what is to be said when the program's own
 * exit handlers have closed descriptor 2; and writes there from now on. */
void dl__stderr_hold(void);
void dl__stderr_use_held(void);

/* A line or more, of 4095 bytes at most. */
void dl__stderr_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Files that the user named. */

/* Replaces the contents of the file, which need not be there, by what `print` prints,
 * with dots in its numbers. Follows no link that somebody else may have put into a folder
 * for all, does not wait for a reader, and raises no signal. Says where it fails: the
 * file may be there in part.
 *   path    NULL: standard error
 *   what    is printed, and the option that names the file, in words */
void dl__print_to(const char *path, void (*print)(FILE *out), const char *what,
                  const char *option);
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
