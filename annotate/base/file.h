/* SPDX-License-Identifier: MIT */
/* Reading files that a user names: whole, and never for ever. For this room only. */
#ifndef DL_ANNOTATE_FILE_H
#define DL_ANNOTATE_FILE_H

#include <stddef.h>

/* A regular file of at most `bytes_max`; others (pipes, devices, directories) are not
 * read, nor waited for. NULL, with a clause in *reason that lives for ever, or until
 * errno's text changes.
 *   the result  NUL-terminated, the caller frees it with free() */
char *dl__file_read(const char *path, size_t bytes_max, size_t *bytes,
                    const char **reason);

#endif
