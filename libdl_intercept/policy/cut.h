/* SPDX-License-Identifier: MIT */
/* Which of some devices, that use the same buffers by turns, are best to run as written: the cheapest choice, as a
 * minimum cut. Pure C; seconds. */
#ifndef DL_INTERCEPT_CUT_H
#define DL_INTERCEPT_CUT_H

#include <stdbool.h>

enum { DL__CUT_MAX = 16, DL__CUT_NODES = DL__CUT_MAX + 2 };

struct dl__cut {
    unsigned count;
    double edges[DL__CUT_NODES][DL__CUT_NODES];
};

void dl__cut_begin(struct dl__cut *cut, unsigned count);
/* The device loses so much where it does not run as written; below 0: it gains. */
void dl__cut_loses(struct dl__cut *cut, unsigned device, double seconds);
/* It does in any case, or in none. */
void dl__cut_fix(struct dl__cut *cut, unsigned device, bool as_written);
/* What turns between two take: where one of them runs as written, and where neither does, which is at most twice as
 * much. */
void dl__cut_turns(struct dl__cut *cut, unsigned a, unsigned b, double one,
                   double neither);
/* Where both are as cheap, a device does not run as written. */
void dl__cut_choose(struct dl__cut *cut, bool *as_written);

#endif
