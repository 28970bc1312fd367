/* SPDX-License-Identifier: MIT */
/* The names that generated text gives. */
#ifndef DL_ANNOTATE_NAMES_H
#define DL_ANNOTATE_NAMES_H

#include "annotate/base/arena.h"

/* Accessors and helpers' copies: they share the file's scope. */
struct dl__names {
    const char **items;
    size_t count, room;
};

/* "dl_WANTED", or the like of it that nothing else in the generated text is called. */
const char *dl__name_make(struct dl__names *names, struct dl__arena *arena,
                          const char *wanted);

#endif
