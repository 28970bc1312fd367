/* SPDX-License-Identifier: MIT */
/* The definitions that all accessors and rewritten kernels rest on. */
#ifndef DL_ANNOTATE_PRELUDE_H
#define DL_ANNOTATE_PRELUDE_H

const char *dl__prelude(void);

#endif
