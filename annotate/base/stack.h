/* SPDX-License-Identifier: MIT */
/* A stack of known size. */
#ifndef DL_ANNOTATE_STACK_H
#define DL_ANNOTATE_STACK_H

#include <stdbool.h>

/* Calls `work` on a stack that is large enough for what the limits of a text let pass
 * (program/rewriter.c), and waits for it. */
void dl__on_large_stack(void (*work)(void *), void *user);

/* True when a thread with a stack of the usual size could be started just now. */
bool dl__thread_can_start(void);

#endif
