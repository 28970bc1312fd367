/* SPDX-License-Identifier: MIT */
/* The report of a run, explained. */
#ifndef DL_RUN_REPORT_H
#define DL_RUN_REPORT_H

#include <stdbool.h>

/* Reads the file that DL has written (libdl_intercept/reports/facts.h) and prints
 * findings. Returns what to do next, which the caller frees; NULL: DL did not say.
 *   all         of kernels and remarks; else the first
 *   obstructed  why DL is not in the program has been said */
char *report_explain(const char *path, bool layer, bool obstructed, bool all);

#endif
