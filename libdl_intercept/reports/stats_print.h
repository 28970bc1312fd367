/* SPDX-License-Identifier: MIT */
/* Statistics, as they are counted (reports.c) and printed: a table for people, JSON, and
 * what came of a run in one sentence, with the one thing to do next. */
#ifndef DL_INTERCEPT_STATS_PRINT_H
#define DL_INTERCEPT_STATS_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "layout/layout.h"
#include "stats.h"

struct dl__buffer_row {
    unsigned arg_index;
    char *name;
    struct dl_layout layout;
    uint64_t structs;
};

/* Launches of a kernel as it is written, or of what it was rewritten to. */
struct dl__ran_row {
    uint64_t launches, timed, time_ns; /* of those whose events told one */
    uint64_t bytes, bytes_time_ns; /* of those whose bytes are known, by their accesses */
    char *why;                     /* it ran so, the last time; NULL: not said */
};

/* A buffer came back to the program's layout so often for a kernel as written. */
struct dl__returned_row {
    unsigned buffer;
    uint64_t count;
};

struct dl__kernel_row {
    char *name;
    struct dl__ran_row native, rewritten;
    struct dl__returned_row *returned;
    size_t returned_count;
    bool between; /* as written, and not to be rewritten, it used buffers that other
                     kernels may use in another layout */
    /* rewritten launches that were measured as written, too: what they took, and would
     * have */
    uint64_t judged, judged_time_ns, judged_native_ns;
    uint64_t judged_earlier;    /* of them, measured as written in an earlier run */
    uint64_t judged_earlier_ns; /* the same of judged_native_ns */
    /* launches as written in this run, which an earlier one has measured, too: what they
     * took, and by the earlier run */
    uint64_t again_time_ns, again_earlier_ns;
    struct dl__buffer_row *buffers;
    size_t buffer_count;
};

struct dl__conversion_row {
    unsigned buffer;
    char *name; /* in the text of a kernel that it was converted for; NULL: not known */
    uint64_t structs;
    uint32_t struct_bytes;
    struct dl_layout from, to;
    uint64_t count, bytes, time_ns;
};

/* A command of the host's needed a buffer in the program's layout so often. */
struct dl__command_row {
    const char *name;
    unsigned buffer;
    const char *buffer_name; /* as in a conversion's row */
    enum dl__command_use use;
    uint64_t count;
};

struct dl__counted {
    struct dl__kernel_row *kernels;
    size_t kernel_count;
    struct dl__conversion_row *conversions;
    size_t conversion_count;
    struct dl__command_row *commands;
    size_t command_count;
    char **decisions;
    size_t decision_count;
    double sums[DL__STATS_SUMS];
    char device_name[128];
    bool is_cpu;
    const char *rank;     /* of the process in its job; NULL: no launcher says one */
    const char *ended_by; /* the signal that ended the run early; NULL: none did */
    int build_error;      /* of a text of the program's own; 0: none failed */
    bool for_report;      /* a table without the names of buffers */
};

/* As --stats=FILE has it, or for people and the report. */
void dl__stats_print(const struct dl__counted *counted, FILE *out);
/* Returns "2 of 5 kernels ran in arrays: ..." or, for dl-run --doctor, the next step
 * alone, not `whole`. The caller frees it. NULL: out of memory. */
char *dl__summary(const struct dl__counted *counted, bool whole);
/* "ASTA/32"; `bytes` of at least 24. */
void dl__stats_print_layout(char *text, size_t bytes, struct dl_layout layout);

#endif
