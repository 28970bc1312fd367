/* SPDX-License-Identifier: MIT */
/* Statistics (--stats): launches, conversions, bytes and device times are counted, and
 * printed when the process ends. Every function is a no-op unless statistics were asked
 * for. Threads: safe. */
#ifndef DL_INTERCEPT_STATS_H
#define DL_INTERCEPT_STATS_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#include "layout/layout.h"

/* The time that looking at a text took, in milliseconds. */
struct dl__text_times {
    double load_ms;  /* loading libclang */
    double total_ms; /* all the rest, in which: */
    double expand_ms, parse_ms, rewrite_ms;
};

/* A conversion of buffer number `buffer`, which holds `structs` structs; borrows the
 * events. */
void dl__stats_conversion(unsigned buffer, uint64_t structs, uint32_t struct_bytes,
                          struct dl_layout from, struct dl_layout to, uint64_t bytes,
                          cl_event first, cl_event done);
/* Things that may be known of a launch besides. */
struct dl__launch_said {
    char why[240]; /* it runs so; "": not said */
    uint64_t
        bytes; /* of annotated buffers, that its accesses use at least; 0: not known */
    double native_seconds; /* that it takes as written, by measurement; 0: not known */
    bool native_earlier;   /* that was in an earlier run */
};

/* A launch of the kernel of this name (NULL: not known), transformed (its buffers are in
 * the layout their records say) or native; `said` may be NULL; borrows the event. */
void dl__stats_launch(const char *kernel, bool transformed,
                      const struct dl__launch_said *said, cl_event event);
/* Tells the name of a buffer in a kernel's text. The first name stays. */
void dl__stats_buffer(unsigned buffer, const char *name);
/* The same, NULL where it is not known. Lives as long as the process. */
const char *dl__stats_buffer_name(unsigned buffer);
/* A buffer as bound to a transformed kernel. */
void dl__stats_binding(const char *kernel, unsigned arg_index, const char *buffer,
                       struct dl_layout layout, uint64_t structs);
/* A kernel that runs as written used a buffer that others use in another layout, or may;
 * `returned`: for which it came back. */
void dl__stats_between(const char *kernel, unsigned buffer, bool returned);
/* Sums: parts of tiled buffers that went through staging areas, and their bytes; staging
 * areas made; device memory taken for tiled copies; shadow programs, from a binary in the
 * cache and built. */
enum dl__stats_sum {
    DL__STATS_PARTS,
    DL__STATS_PART_BYTES,
    DL__STATS_AREAS,
    DL__STATS_COPIED_BYTES,
    DL__STATS_SHADOWS_KEPT,
    DL__STATS_SHADOWS_BUILT
};
void dl__stats_add(enum dl__stats_sum sum, uint64_t number);
/* A text was looked at: it was kept in the cache, or rewritten. */
void dl__stats_text(bool kept, const struct dl__text_times *times);
/* Wall time: that the program has waited while a launch was explored, or compared again,
 * or held back (0: nothing); and that rewritten programs were built in, or waited for. */
enum dl__stats_wait {
    DL__STATS_EXPLORED,
    DL__STATS_COMPARED,
    DL__STATS_HELD,
    DL__STATS_BUILT
};
void dl__stats_waited(enum dl__stats_wait wait, double seconds);
/* A decision of the policy's, a line. */
void dl__stats_decision(const char *why);
/* Notes the device, for the heading. */
void dl__stats_device(cl_device_id device);
/* How many references to the program's event the statistics hold now. */
unsigned dl__stats_references(cl_event event);
/* A queue or context is about to end: read what its events say while they can be read. */
void dl__stats_settle(void);

#endif
