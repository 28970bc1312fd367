/* SPDX-License-Identifier: MIT */
/* What came of a run: one sentence, and the one thing to do next. */
#ifndef DL_INTERCEPT_SUMMARY_H
#define DL_INTERCEPT_SUMMARY_H

#include "stats_rows.h"

/* "2 of 5 kernels ran in arrays: ..."; the caller frees it. NULL: out of memory. */
char *dl__summary(const struct dl__counted *counted);
/* The next step alone, for dl-run --doctor; likewise. */
char *dl__summary_next(const struct dl__counted *counted);

#endif
