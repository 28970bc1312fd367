/* SPDX-License-Identifier: MIT */
/* A text that grows. */
#ifndef DL_TEXT_H
#define DL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* After a failure the text no longer changes. The caller frees `bytes`. */
struct dl__text {
    char *bytes;
    size_t count, capacity;
    bool failed;
};

__attribute__((format(printf, 2, 3))) void dl__text_add(struct dl__text *text,
                                                        const char *format, ...);

#endif
