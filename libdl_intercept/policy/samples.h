/* SPDX-License-Identifier: MIT */
/* The last few measured times of one kernel on one candidate. Launches of a size class
 * differ in their work by up to two, so every answer is for a given work (work-items). */
#ifndef DL_INTERCEPT_SAMPLES_H
#define DL_INTERCEPT_SAMPLES_H

#include <stdbool.h>

enum { DL__SAMPLES_KEPT = 15 };

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
/* The lower median, as if time were proportional to work. 0: nothing is known. */
double dl__samples_median(const struct dl__samples *samples, double work);
/* The lower quartile. */
double dl__samples_quartile(const struct dl__samples *samples, double work);

#endif
