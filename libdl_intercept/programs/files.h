/* SPDX-License-Identifier: MIT */
/* Lists of the files that texts include, with what they hold, and of those that were
 * looked for and not there. A list is packed; zeroed it is empty, and failed it is not
 * whole. Relative paths are of the working folder.
 *
 * Threads: a list is the caller's. */
#ifndef DL_INTERCEPT_FILES_H
#define DL_INTERCEPT_FILES_H

#include "pack.h"

/* Those that a text may include, as they were at some time. */
struct dl__seen_files {
    struct dl__pack list;
    bool whole; /* there are no others */
};

/* `text` NULL: there is none. */
void dl__files_add(struct dl__pack *files, const char *path, const char *text,
                   size_t bytes);
/* True when all are as they were, those that were not there included. */
bool dl__files_unchanged(const struct dl__pack *files);
/* The first that is not, which the caller frees; NULL: none, or out of memory. */
char *dl__files_changed(const struct dl__pack *files);
/* True when the second list has each of the first, with what it holds. */
bool dl__files_are_among(const struct dl__pack *files, const struct dl__pack *others);

#endif
