/* SPDX-License-Identifier: MIT */
/* The functions that dl-builder calls, and those that it brings along: the transformer,
 * which needs libclang and is linked to that process alone. The library that serves there
 * is the same as in the program. */
#ifndef DL_INTERCEPT_SERVE_H
#define DL_INTERCEPT_SERVE_H

#include "annotate/notes.h"

/* The functions of annotate/annotate.h. */
struct dl__transformer {
    enum dl_status (*rewrite)(const char *text, size_t text_bytes,
                              const struct dl_annotate_options *options,
                              dl_remark_fn remark, void *user, char **out);
    const char *(*libclang)(const char *libclang);
};

/* Serves the board behind a descriptor until there is nothing more to be done.
 *   parent         a pidfd of the program; -1: none
 *   start_drivers  makes OpenCL known to the library, when a job first needs a device: a
 *                  text does not
 * returns the exit status */
int clServeBuildsDL(int board, int parent, const struct dl__transformer *transformer,
                    void (*start_drivers)(void)) __attribute__((visibility("default")));
typedef __typeof__(clServeBuildsDL) *dl__serve_fn;

/* NULL in the program: texts are the builder's to read. */
const struct dl__transformer *dl__transformer_get(void);

#endif
