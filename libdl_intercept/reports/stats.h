/* What --stats counts: launches, conversions, bytes and device times; printed when the process
 * ends. Every function is a no-op unless statistics were asked for. Threads: safe. */
#ifndef DL_INTERCEPT_STATS_H
#define DL_INTERCEPT_STATS_H

#include "libdl_intercept/state/objects.h"

/* A conversion of `mem`, tiled by these leaves, from its present layout to `to`; borrows the
 * events. */
void dl__stats_conversion(const struct dl__mem *mem, const struct dl_leaf_table *leaves,
                          struct dl_layout to, uint64_t bytes, cl_event first,
                          cl_event done);
/* A launch of `kernel`, transformed (its buffers are in the layout their records say) or native;
 * borrows the event. */
void dl__stats_launch(const struct dl__kernel *kernel, bool transformed, cl_event event);
/* A buffer as bound to a transformed kernel. */
void dl__stats_binding(const struct dl__kernel *kernel, const struct dl_buffer_note *note,
                       struct dl_layout layout, uint64_t structs);
/* A part of a tiled buffer went through a staging area. */
void dl__stats_part(uint64_t bytes);
/* A staging area was made. */
void dl__stats_area(void);
/* Device memory taken for a tiled copy. */
void dl__stats_copy(uint64_t bytes);
/* A text was looked at for `total_ms`, loading libclang not counted: it was kept in the cache, or
 * rewritten in these times. */
void dl__stats_text(bool kept, double total_ms, const struct dl_annotate_times *times);
/* A shadow program was made: from a binary in the cache, or built. */
void dl__stats_shadow(bool kept);
/* Notes the device, for the heading. */
void dl__stats_device(cl_device_id device);
/* How many references to the program's event the statistics hold now. */
unsigned dl__stats_references(cl_event event);
/* A queue or context is about to end: read what its events say while they can be read. */
void dl__stats_settle(void);
/* The process ends: prints what was counted, once. */
void dl__stats_end(void);

#endif
