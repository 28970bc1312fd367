/* SPDX-License-Identifier: MIT */
/* Statistics (--stats): launches, conversions, bytes and device times are counted, and
 * printed when the process ends. Unless they were asked for, every function is a no-op
 * but that which names a buffer that is converted. Threads: safe. */
#ifndef DL_INTERCEPT_STATS_H
#define DL_INTERCEPT_STATS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#include "layout/layout.h"

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
/* Tells the name of a buffer in a kernel's text, which `converts` it first or not. That
 * of its first conversion stays, which remarks name it by without statistics, too; until
 * then, the first of all. */
void dl__stats_buffer(unsigned buffer, const char *name, bool converts);
/* The same, NULL where it is not known. Lives as long as the process. */
const char *dl__stats_buffer_name(unsigned buffer);
/* A buffer as bound to a transformed kernel. */
void dl__stats_binding(const char *kernel, unsigned arg_index, const char *buffer,
                       struct dl_layout layout, uint64_t structs);
/* A kernel that runs as written used a buffer that others use in another layout, or may;
 * `returned`: for which it came back. */
void dl__stats_between(const char *kernel, unsigned buffer, bool returned);
/* How a command of the host's uses a buffer. */
enum dl__command_use { DL__USES_PART, DL__USES_ALL, DL__OVERWRITES };
/* It has used one; `name` lives as long as the process. */
void dl__stats_command(const char *name, unsigned buffer, enum dl__command_use use);
/* Sums, by the names that JSON has: device memory taken for tiled copies; parts of tiled
 * buffers that went through staging areas, their bytes, how much longer that took than
 * as written, how much of that is an estimate, and areas made; texts looked at,
 * rewritten or kept in the cache; shadow programs, built and from a binary in the cache;
 * what looking at texts took, loading libclang and all the rest, and parts of the rest;
 * launches explored, and compared again, and the wall time that the program has waited
 * for it; the same while launches were held back, and while rewritten programs were built
 * or waited for. */
#define DL__STATS_SUM_MAP(X)                                                             \
    X(COPIED_BYTES, copies_bytes)                                                        \
    X(PARTS, part_count)                                                                 \
    X(PART_BYTES, part_bytes)                                                            \
    X(PART_MS, part_ms)                                                                  \
    X(PART_ESTIMATED_MS, part_estimated_ms)                                              \
    X(AREAS, area_count)                                                                 \
    X(TEXTS_REWRITTEN, texts_rewritten)                                                  \
    X(TEXTS_KEPT, texts_kept)                                                            \
    X(SHADOWS_BUILT, shadows_built)                                                      \
    X(SHADOWS_KEPT, shadows_kept)                                                        \
    X(LOAD_MS, load_ms)                                                                  \
    X(TOTAL_MS, total_ms)                                                                \
    X(EXPAND_MS, expand_ms)                                                              \
    X(PARSE_MS, parse_ms)                                                                \
    X(REWRITE_MS, rewrite_ms)                                                            \
    X(EXPLORED, explored)                                                                \
    X(EXPLORED_MS, explored_ms)                                                          \
    X(COMPARED, compared)                                                                \
    X(COMPARED_MS, compared_ms)                                                          \
    X(HELD_MS, held_ms)                                                                  \
    X(BUILT_MS, built_ms)
enum dl__stats_sum {
#define X(name, json) DL__STATS_##name,
    DL__STATS_SUM_MAP(X)
#undef X
        DL__STATS_SUMS
};
void dl__stats_add(enum dl__stats_sum sum, double number);
/* The program has waited, if that took time. */
static inline void dl__stats_waited(enum dl__stats_sum ms, double seconds)
{
    if (seconds > 0)
        dl__stats_add(ms, 1e3 * seconds);
}
/* Why the cache has no folder that can be written, so that later runs have nothing of
 * this one; NULL: it has one, or is off. */
extern const char *_Atomic dl__stats_nothing_kept;
/* A decision of the policy's, a line. */
void dl__stats_decision(const char *why);
/* Notes the device, for the heading. */
void dl__stats_device(cl_device_id device);
/* How many references to the program's event the statistics hold now. */
unsigned dl__stats_references(cl_event event);
/* A queue or context is about to end: read what its events say while they can be read. */
void dl__stats_settle(void);

#endif
