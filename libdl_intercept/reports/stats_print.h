/* SPDX-License-Identifier: MIT */
/* Printing statistics. */
#ifndef DL_INTERCEPT_STATS_PRINT_H
#define DL_INTERCEPT_STATS_PRINT_H

#include <stdio.h>

#include "stats_rows.h"

/* Of all kernels and conversions. */
struct dl__total {
    uint64_t kernels_ns, conversions_ns;
    uint64_t judged, judged_time_ns, judged_native_ns; /* as of a kernel */
    uint64_t there, back;                              /* conversions to tiles, to AoS */
};
void dl__stats_total(const struct dl__counted *counted, struct dl__total *total);

/* As --stats=FILE has it, and for people. */
void dl__stats_print_json(const struct dl__counted *counted, FILE *out);
void dl__stats_print_table(const struct dl__counted *counted, FILE *out);

/* Shows what has been counted so far, of the statistics or for the report (stats.c). */
void dl__stats_visit(void (*visit)(const struct dl__counted *counted, void *user),
                     void *user);

/* "ASTA/32"; `bytes` of at least 24. */
void dl__stats_print_layout(char *text, size_t bytes, struct dl_layout layout);

#endif
