/* SPDX-License-Identifier: MIT */
/* Saying what was decided, for --explain-policy and the statistics. */
#ifndef DL_INTERCEPT_EXPLAIN_H
#define DL_INTERCEPT_EXPLAIN_H

/* One decision with its numbers, a line. Threads: safe. */
void dl__explain(const char *why);

#endif
