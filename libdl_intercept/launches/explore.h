/* SPDX-License-Identifier: MIT */
/* Exploring: what a launch would gain in other layouts, found out on copies of its
 * buffers. The program's kernel runs on the program's buffers, and the program gets what
 * that gave; the rewritten kernel runs on converted copies of what the buffers held
 * before, and every byte is compared with what the program's own gave.
 *
 * A launch is explored while nothing else runs on its buffers: what comes before it is
 * over (dl__explore_wait), and what comes later waits for the context's lock. So a wait
 * here never lasts longer than a fixed limit: a driver may call the program back, which
 * then waits for the lock. */
#ifndef DL_INTERCEPT_EXPLORE_H
#define DL_INTERCEPT_EXPLORE_H

#include "libdl_intercept/programs/shadow.h"
#include "args.h"
#include "copies.h"
#include "libdl_intercept/policy/core.h"

/* One candidate; seconds of device time unless said. */
struct dl__explored {
    enum dl__candidate_id candidate; /* in: what to try */
    double speedup;                  /* in: as its accesses promise; 0: they don't */
    enum dl__verdict_of_copies verdict;
    double native_seconds, seconds; /* 0: not known */
    double there_seconds,
        back_seconds; /* conversions of all its buffers; there with the copying of those
                         that need a converted copy, back without them */
    bool stands_in;   /* these were made by others than their own kernels */
    const char *why;  /* where it is not EQUAL: a literal, or a text that lives as long */
    bool unbound;     /* the launch's buffers can't have the layout */
    unsigned argument; /* where it DIFFERS: the argument whose buffer does */
    bool gaps;         /* that: only where structs have no member; or it is EQUAL, since
                          these don't count (unset.h) */
};

/* Fills in what exploring the launch costs at most, in wall seconds, from bytes and
 * rates, as the policy wants to know it. */
void dl__explore_price(const struct dl__ndrange *range, const struct dl_rates *rates,
                       struct dl__policy_ask *ask) DL__WITH_LOCK;
/* Fills in the size of a launch for which a driver compiles what exploring this one runs.
 * False: there is none that is known to take little. */
bool dl__explore_first(const struct dl__ndrange *range,
                       struct dl__first_launch *out) DL__WITH_LOCK;
/* Runs the launch as the program wrote it, with the program's event, and explores.
 * `range->mems` is set, and `range->waited` if dl__explore_wait was true. Where copies
 * can't be made it runs all the same, and all of the list is NOT_EXPLORED. False: it
 * can't be explored, and has not been made.
 *   spent_seconds  out, wall time that it took beyond the launch itself
 *   err            out, of the launch as written */
bool dl__explore_launch(cl_kernel handle, const struct dl__ndrange *range,
                        struct dl__explored *list, size_t count, double *spent_seconds,
                        cl_int *err) DL__WITH_LOCK;
/* Makes the launch as written, and explores what the policy's answer asks for. False: it
 * can't be explored, of which the policy hears, and has not been made. */
bool dl__explore_asked(cl_kernel handle, const struct dl__ndrange *range,
                       cl_int *err) DL__WITH_LOCK;

#endif
