/* SPDX-License-Identifier: MIT */
/* A line on a terminal while something takes long: how much is done, of how much, and the
 * time left if the rest goes as what is done. Nothing where standard error is not a
 * terminal. */
#ifndef DL_BENCH_PROGRESS_H
#define DL_BENCH_PROGRESS_H

#include <stddef.h>

struct progress {
    double start_s;
    size_t done, total;
};

/* Begins a line for so many things. */
struct progress progress_begin(size_t total);
/* One more is done. */
void progress_step(struct progress *progress);
/* Takes the line away, for something else to be printed there. */
void progress_clear(void);
/* "3 of 12, 1:05 left": what the line says after `seconds`; without a time while nothing
 * is done. */
void progress_text(const struct progress *progress, double seconds, char *text,
                   size_t room);

#endif
