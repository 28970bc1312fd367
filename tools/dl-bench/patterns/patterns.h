/* SPDX-License-Identifier: MIT */
/* What the files of dl-patterns share: small OpenCL programs, one for each way in which
 * programs use their buffers. They know nothing of DL. */
#ifndef DL_PATTERNS_H
#define DL_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

#include "common/sample.h"

enum { PATTERN_BUFFERS = 3, PATTERN_ACTS = 4, PATTERN_GROUP = 64 };

/* A pattern. Its buffers 0, 1, ... are described by `buffers`, a letter each:
 *   s  `count` structs of `words` floats
 *   i  `count` structs of which word 0 is a random place (an int, below `count`)
 *   p  `count` random places
 *   o  `count` floats
 *   h  pinned memory of the host, in place of malloc's, for what it reads and writes; the
 *      last letter
 * A step does what `each` says, verbs separated by semicolons:
 *   launch KERNEL ARGUMENTS [ITEMS]  arguments are buffers' numbers and n, the count;
 *                                    work-items are `count` unless said
 *   read B [FLOATS], write B [FLOATS]  from the buffer's beginning; all of it unless
 *                                      said; the host
 *                                    writes other numbers each time
 *   swap A B                         from now on either stands for the other
 *   wait                             until all that is done
 *   stamp                            the same, and the host's clock times the step: there
 *                                    is no profiling on such a pattern's queue, as on
 *                                    most programs' */
struct pattern {
    const char *name, *section; /* of patterns.cl */
    unsigned words;
    size_t kib;   /* of a buffer of structs: `count` follows */
    int step_max; /* where a step takes long; 0: as many as are liked */
    const char *buffers, *each, *help;
};

extern const struct pattern patterns[];
extern const size_t pattern_count;

/* ---- one step (acts.c) ---- */

enum act_kind { ACT_LAUNCH, ACT_READ, ACT_WRITE, ACT_SWAP, ACT_WAIT, ACT_STAMP };

struct act {
    enum act_kind kind;
    char kernel_name[32], arguments[8];
    cl_kernel kernel;
    int buffer, other;
    size_t length; /* work-items, or floats */
};

/* A pattern that is being run. */
struct pattern_run {
    const struct pattern *pattern;
    struct sample_cl cl;
    size_t count; /* structs */
    cl_mem mems[PATTERN_BUFFERS];
    size_t bytes[PATTERN_BUFFERS];
    struct act acts[PATTERN_ACTS];
    size_t act_count;
    bool stamps; /* one of them is a stamp */
    float *host; /* what the steps write, or read */
};

/* Fills `acts`. False after a line on standard error: the row is wrong. */
bool acts_parse(struct pattern_run *run);
/* One step; its commands go to the timeline, or else nobody asks for their events. */
bool acts_run(struct pattern_run *run, int step);

#endif
