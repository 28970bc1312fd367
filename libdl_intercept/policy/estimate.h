/* SPDX-License-Identifier: MIT */
/* Reads in a text how fast a launch is before anything is measured: memory traffic
 * natively and on each candidate, in whole sectors (GPUs) or cache lines (CPUs). Pure
 * arithmetic over annotate/annotate.h's facts. */
#ifndef DL_INTERCEPT_ESTIMATE_H
#define DL_INTERCEPT_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>

#include "annotate/notes.h"
#include "marshal_kernels/marshal.h"

/* The table of what a kernel may be run on (candidates.def). */
enum dl__candidate_id {
#define DL__CANDIDATE(identifier, ...) DL__##identifier,
#include "candidates.def"
#undef DL__CANDIDATE
    DL__CANDIDATES
};

struct dl__candidate {
    const char *name;
    enum dl_layout_kind kind;
    bool in_place;    /* buffers stay in the program's layout */
    size_t move_part; /* in struct dl_rates: how fast it is converted to */
};

/* Never NULL. */
const struct dl__candidate *dl__candidate_get(enum dl__candidate_id id);
/* The candidate of that layout; DL__CANDIDATES: there is none. */
enum dl__candidate_id dl__candidate_of(enum dl_layout_kind kind);

enum dl__verdict {
    DL__NEVER,   /* it loses: not even explored */
    DL__UNSURE,  /* the text does not say: by measurement alone; less than 1 is expected:
                    where launches take so long that it is worth it */
    DL__NEUTRAL, /* about the same, or either way: by measurement */
    DL__CLEAR    /* it gains */
};

enum { DL__FACTOR_MAX = 32 };

struct dl__estimate {
    double least_seconds; /* every byte once, at a copy's speed: no layout is faster from
                             memory; 0: not known */
    double native_seconds;
    struct {
        enum dl__verdict verdict;
        double speedup; /* of native, expected */
    } of[DL__CANDIDATES];
};

/* One annotated buffer of the launch. */
struct dl__estimated_buffer {
    const struct dl_access_fact *facts; /* NULL: not known */
    size_t fact_count;
    uint32_t struct_bytes;
    uint32_t leaf_bytes;                /* of its widest leaf */
    const struct dl_leaf_table *leaves; /* borrowed; NULL: each is as wide as that */
    uint64_t structs;
    bool written;
    bool arrays; /* the program itself has its members apart: it goes to tiles alone */
    bool grid;   /* it goes into layouts of grids alone */
    /* The numbers are for people: all rounds count that the text has of loops, not only
     * as many as `auto` goes by, and structs that work-items share do not count as used.
     */
    bool for_people;
    /* A second text has work-groups load, store its structs together. */
    bool group_loads, group_stores;
};

/* Memory traffic of one work-item with a buffer, in bytes. */
struct dl__traffic {
    double native, apart; /* where the structs lie; with each member apart */
};

void dl__estimate_traffic(const struct dl_rates *rates,
                          const struct dl__estimated_buffer *buffer,
                          struct dl__traffic *out);
/* The same of one of its accesses, by itself, where the structs lie; *used: what it asks
 * for. */
double dl__estimate_access(const struct dl_rates *rates,
                           const struct dl__estimated_buffer *buffer, size_t fact,
                           double *used);
void dl__estimate_launch(const struct dl_rates *rates,
                         const struct dl__estimated_buffer *buffers, size_t count,
                         double work_items, struct dl__estimate *out);
/* True when the text expects less than as written, without being sure: there it promises
 * nothing. */
static inline bool dl__estimate_is_loss(const struct dl__estimate *estimate,
                                        enum dl__candidate_id candidate)
{
    return estimate->of[candidate].verdict == DL__UNSURE &&
           estimate->of[candidate].speedup < 1;
}
/* Returns what a launch takes on a candidate, from what a slice of its work-items takes.
 * A slice lies in a CPU's caches, and tells what its work-items compute. What the launch
 * takes beyond as many slices is memory's: a candidate has less of that as its accesses
 * promise, or as the slice tells.
 *   native, candidate  seconds of the slice; 0: not known, and neither is the result
 *   parts              slices that the launch has
 *   launch             seconds of it as written
 *   speedup            as the accesses promise; 0: they don't */
double dl__estimate_of_part(double native, double candidate, double parts, double launch,
                            double speedup);
/* Returns the seconds of converting this number of bytes to a candidate, one way. */
double dl__estimate_move(const struct dl_rates *rates, enum dl__candidate_id candidate,
                         uint64_t bytes);

#endif
