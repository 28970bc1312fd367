/* SPDX-License-Identifier: MIT */
/* A library whose calls of OpenCL are counted, and refused on request; and a matrix for
 * it. */
#ifndef COUNTED_H
#define COUNTED_H

#include "harness.h"
#include "transpose/algorithms/algorithm.h"

enum { ROWS = 211, COLS = 307, ELEMENTS = ROWS * COLS };

extern struct harness harness;

/* ROWS x COLS numbers that `seed` tells from others. */
cl_mem numbers_make(const struct device *device, int seed);
bool numbers_are_transposed(cl_command_queue queue, cl_mem mem, int seed);
/* Of that matrix. */
struct dl_transpose_plan *plan_make(struct dl_transpose *transpose,
                                    enum dl_transpose_algorithm algorithm);
/* For what must not happen: a test that is right passes however long it takes. */
void sleep_briefly(void);

/* What the library called, and how often it may. */
extern struct counts {
    unsigned buffers_made, builds, builds_allowed, builds_refused;
    unsigned launches, launches_allowed, events_made, events_freed;
} counts;
/* The functions that it calls. */
extern cl_icd_dispatch counted;

/* A library that is counted, with all counts at zero. */
struct dl_transpose *counted_make(void);

#endif
