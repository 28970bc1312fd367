/* SPDX-License-Identifier: MIT */
/* Kernels and their rows: what launches of one size take, as far as it was measured. */
#include "core.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static double rate_of(const struct dl__sample *sample)
{
    return sample->seconds / sample->work;
}

static void leave_out(struct dl__samples *samples, unsigned count, double rate)
{
    unsigned at = 0;

    while (at + 1 < count && samples->rates[at] != rate)
        at++;
    for (; at + 1 < count; at++)
        samples->rates[at] = samples->rates[at + 1];
}

static void take_in(struct dl__samples *samples, unsigned count, double rate)
{
    unsigned at = count;

    for (; at > 0 && samples->rates[at - 1] > rate; at--)
        samples->rates[at] = samples->rates[at - 1];
    samples->rates[at] = rate;
}

void dl__samples_add(struct dl__samples *samples, double seconds, double work)
{
    struct dl__sample *sample = &samples->kept[samples->count % DL__SAMPLES_KEPT];
    unsigned kept = dl__samples_kept(samples);

    if (!dl__is_time(seconds) || !(work > 0))
        return;
    if (kept == DL__SAMPLES_KEPT)
        leave_out(samples, kept--, rate_of(sample));
    *sample = (struct dl__sample){seconds, work};
    take_in(samples, kept, rate_of(sample));
    samples->count++;
}

/* The lower quartile. */
static double samples_quartile(const struct dl__samples *samples, double work)
{
    unsigned count = dl__samples_kept(samples);

    return count ? samples->rates[(count - 1) / 4] * work : 0;
}

/* ---- kernels and rows ---- */

struct dl__policy_kernel *dl__policy_kernel_get(struct dl__policy *policy,
                                                const unsigned char *text,
                                                const char *name)
{
    struct dl__policy_kernel *kernel;

    for (kernel = policy->kernels; kernel; kernel = kernel->next) {
        if (memcmp(kernel->text, text, sizeof kernel->text) == 0 &&
            strcmp(kernel->name, name) == 0)
            return kernel;
    }
    kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    memcpy(kernel->text, text, sizeof kernel->text);
    kernel->name = strdup(name);
    if (!kernel->name) {
        free(kernel);
        return NULL;
    }
    kernel->next = policy->kernels;
    policy->kernels = kernel;
    return kernel;
}

struct dl__policy_row *dl__policy_row_get(struct dl__policy_kernel *kernel, double work,
                                          uint64_t structs, uint64_t group_items)
{
    unsigned work_class = dl__work_class(work),
             struct_class = dl__work_class((double)structs);
    struct dl__policy_row *row;

    for (row = kernel->rows; row; row = row->next) {
        if (row->work_class == work_class && row->struct_class == struct_class &&
            row->group_items == group_items)
            return row;
    }
    row = calloc(1, sizeof *row);
    if (!row)
        return NULL;
    row->kernel = kernel;
    row->work_class = work_class;
    row->struct_class = struct_class;
    row->group_items = group_items;
    row->of[DL__NATIVE].state = DL__MAY_RUN;
    row->best = DL__CANDIDATES;
    row->returns = row->touched = -1;
    if (*kernel->differed)
        dl__row_as_written(row);
    row->next = kernel->rows;
    kernel->rows = row;
    return row;
}

/* ---- times ---- */

/* PoCL's times take 0.1 us a launch. */
static const double timed_seconds = 10e-6;

static bool is_short(const struct dl__policy_row *row)
{
    double longest =
        dl__row_seconds(row, DL__NATIVE, 2.0 * (double)(UINT64_C(1) << row->work_class));

    for (enum dl__candidate_id c = DL__NATIVE + 1; c < DL__CANDIDATES; c++)
        if (row->of[c].launches > 0)
            return false;
    return longest > 0 && longest < timed_seconds;
}

void dl__policy_count_short(const struct dl__policy *policy, size_t *launched,
                            size_t *known_short)
{
    for (const struct dl__policy_kernel *k = policy->kernels; k; k = k->next)
        for (const struct dl__policy_row *row = k->rows; row; row = row->next)
            if (row->launches > 0) {
                *launched += 1;
                *known_short += is_short(row);
            }
}

static double measured(const struct dl__samples *samples, double work)
{
    double median = dl__samples_median(samples, work);

    return median < dl__short_seconds ? samples_quartile(samples, work) : median;
}

/* As if time were proportional to work. What others do to the machine while copies are
 * tried slows down both texts: what counts is how they compared. */
static double seconds_on(const struct dl__policy_row *row, enum dl__candidate_id c,
                         double work)
{
    const struct dl__tried_on *on = &row->of[c];
    double seconds = on->promised.seconds, native;

    /* Nothing is believed of one launch, which may have compiled its kernel. */
    if (on->samples.count >= dl__tried_doubted(on, DL__SAMPLES_MIN) || seconds <= 0)
        return on->samples.count > 1 ? measured(&on->samples, work) : 0;
    native = on->beside > 0 ? seconds_on(row, DL__NATIVE, on->promised.work) : 0;
    if (dl__row_is_scaled(on, native))
        seconds *= native / on->beside;
    return seconds * work / on->promised.work;
}

double dl__row_seconds(const struct dl__policy_row *row, enum dl__candidate_id candidate,
                       double work)
{
    double seconds = seconds_on(row, candidate, work), together;

    if (candidate != DL__NATIVE)
        return seconds;
    together = row->of[DL__COALESCED].state == DL__MAY_RUN
                   ? seconds_on(row, DL__COALESCED, work)
                   : 0;
    return together > 0 && together < seconds * (1 - dl__by_chance) ? together : seconds;
}

double dl__row_native(const struct dl__policy_row *row,
                      const struct dl__estimate *estimate, double work)
{
    double seconds = seconds_on(row, DL__NATIVE, work);

    return seconds > 0 ? seconds : estimate->native_seconds;
}

double dl__row_horizon(const struct dl__policy_row *row)
{
    double least = 0;

    for (unsigned r = 0; r < row->run_count; r++)
        least = r == 0 ? row->runs[r] : dl__min(least, row->runs[r]);
    return least;
}
