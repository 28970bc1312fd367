/* SPDX-License-Identifier: MIT */
/* Whether a launch would print: before it is run on copies, where nothing may be seen of it. */
#ifndef DL_INTERCEPT_TELL_H
#define DL_INTERCEPT_TELL_H

#include "copies.h"

/* The reason where it would. */
extern const char dl__prints[];

/* Runs the kernel's text that tells whether it prints (annotate/print/prints.c) on WORK, which holds what the buffers
 * held, and is stale then. NULL: it does not print on these, or never does. Else dl__prints, or why that can't be
 * told. */
const char *dl__copies_tell(struct dl__copies *copies) DL__WITH_LOCK;

#endif
