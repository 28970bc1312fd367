/* SPDX-License-Identifier: MIT */
/* Comments that look like annotations and are not. */
#ifndef DL_INTERCEPT_LOOKALIKE_H
#define DL_INTERCEPT_LOOKALIKE_H

#include <stddef.h>

/* Warns of each comment of a program's text that was meant to be an annotation, judging
 * by its words, and that DL does not read as one; of each line once a process. Threads:
 * safe. */
void dl__lookalikes_warn(const char *text, size_t bytes);

#endif
