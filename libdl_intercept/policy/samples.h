/* SPDX-License-Identifier: MIT */
/* The last few measured times of one kernel on one candidate. Launches of a size class differ in
 * their work by up to two, so every answer is for a given work (work-items). */
#ifndef DL_INTERCEPT_SAMPLES_H
#define DL_INTERCEPT_SAMPLES_H

#include <stdbool.h>

/* Medians are of all that are kept; bounds, and what is settled, of the last few. */
enum { DL__SAMPLES_KEPT = 15, DL__SAMPLES_LAST = 5, DL__SAMPLES_SETTLED = 3 };

struct dl__samples {
    struct dl__sample {
        double seconds, work;
    } kept[DL__SAMPLES_KEPT];
    double rates[DL__SAMPLES_KEPT]; /* seconds for work 1 of these, in order */
    unsigned long count;            /* ever added; the last of them are kept */
};

/* Leaves out what is no time: 0, negative, not a number. */
void dl__samples_add(struct dl__samples *samples, double seconds, double work);
/* How many are kept, and the oldest of them but `index`. */
unsigned dl__samples_kept(const struct dl__samples *samples);
const struct dl__sample *dl__samples_at(const struct dl__samples *samples,
                                        unsigned index);
bool dl__samples_known(const struct dl__samples *samples);
/* True when several are known, all of about this work. */
bool dl__samples_settled(const struct dl__samples *samples, double work);
/* The lower median, as if time were proportional to work. 0: nothing is known. */
double dl__samples_median(const struct dl__samples *samples, double work);
/* How far apart their quartiles are. 0: too few are known. */
double dl__samples_spread(const struct dl__samples *samples, double work);
/* How far the median of so many may be off by chance where single times are so far apart: its standard error. */
double dl__samples_error(const struct dl__samples *samples, double spread);
/* Bounds that hold where time rises with work, and no faster than it. 0: nothing is known. */
double dl__samples_low(const struct dl__samples *samples, double work);
double dl__samples_high(const struct dl__samples *samples, double work);

#endif
