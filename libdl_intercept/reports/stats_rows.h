/* What the statistics have counted. */
#ifndef DL_INTERCEPT_STATS_ROWS_H
#define DL_INTERCEPT_STATS_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "layout/layout.h"

struct dl__buffer_row {
    unsigned arg_index;
    char *name;
    struct dl_layout layout;
    uint64_t structs;
};

struct dl__kernel_row {
    char *name;
    uint64_t launches, native_launches, time_ns;
    struct dl__buffer_row *buffers;
    size_t buffer_count;
};

struct dl__conversion_row {
    unsigned buffer;
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
    } own; /* work on the host */
    char device_name[128];
};

#endif
