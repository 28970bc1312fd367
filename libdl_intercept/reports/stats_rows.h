/* SPDX-License-Identifier: MIT */
/* What the statistics have counted. */
#ifndef DL_INTERCEPT_STATS_ROWS_H
#define DL_INTERCEPT_STATS_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "layout/layout.h"

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

struct dl__kernel_row {
    char *name;
    struct dl__ran_row native, rewritten;
    /* rewritten launches that were measured as written, too: what they took, and would
     * have */
    uint64_t judged, judged_time_ns, judged_native_ns;
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

struct dl__counted {
    struct dl__kernel_row *kernels;
    size_t kernel_count;
    struct dl__conversion_row *conversions;
    size_t conversion_count;
    char **decisions;
    size_t decision_count;
    uint64_t copies_bytes, part_count, part_bytes, area_count;
    struct {
        uint64_t texts_rewritten, texts_kept, shadows_built, shadows_kept;
        double load_ms, total_ms, expand_ms, parse_ms, rewrite_ms;
        uint64_t explored, compared;
        double explored_ms, compared_ms, held_ms, built_ms;
    } own; /* work on the host */
    char device_name[128];
    bool is_cpu;
};

/* False: its times say nothing. Some drivers' events tell a nanosecond of everything. */
static inline bool dl__is_timed(uint64_t count, uint64_t time_ns)
{
    return count && time_ns / count >= 100;
}

static inline bool dl__ran_is_timed(const struct dl__ran_row *ran)
{
    return dl__is_timed(ran->timed, ran->time_ns);
}

#endif
