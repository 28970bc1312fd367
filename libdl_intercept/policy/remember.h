/* SPDX-License-Identifier: MIT */
/* Decisions as text: what was measured of the kernels of one program text, for its next
 * run.
 *
 *     dl policy 3 2026-11-28
 *     moves ASTA 720 5100 700
 *     kernel lbm
 *     row 24 24 0 ASTA 1000 1000 300
 *     native 4700000 16777216
 *     ASTA 650000 16777216
 *     DA no
 *
 * How long conversions took in each of the last runs that made some, in thousandths of
 * what was estimated. A row is for powers of two of work-items and structs, and a group
 * size; then what would have been best for the group, and how many launches the shortest
 * group had in each of the last runs. A candidate's line has nanoseconds, for how many
 * work-items; or says that it can't be. Pure C. */
#ifndef DL_INTERCEPT_REMEMBER_H
#define DL_INTERCEPT_REMEMBER_H

#include "core.h"

/* Everything known of the kernels with this text; the caller frees it. NULL: nothing, or
 * no memory.
 *   date  "YYYY-MM-DD" */
char *dl__remember_write(struct dl__policy *policy, const unsigned char *text,
                         const char *date);
/* Adds what a text says to the kernels with this hash. False: it is damaged or of another
 * version, and nothing was added. */
bool dl__remember_read(struct dl__policy *policy, const unsigned char *text,
                       const char *said, size_t bytes);
/* The same of what other processes have kept meanwhile: only what this one has not
 * measured itself. */
bool dl__remember_add(struct dl__policy *policy, const unsigned char *text,
                      const char *said, size_t bytes);
/* True when a kernel with this text has something new to remember. */
bool dl__remember_changed(const struct dl__policy *policy, const unsigned char *text);

#endif
