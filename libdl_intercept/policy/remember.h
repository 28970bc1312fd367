/* SPDX-License-Identifier: MIT */
/* Decisions as text: what was measured of the kernels of one program text, for its next run.
 *
 *     dl policy 2 2026-11-23
 *     moves ASTA 65536 720 5100 700
 *     kernel lbm
 *     row 24 24 pays
 *     native 4700000 16777216 5
 *     ASTA 650000 16777216 5
 *
 * Of structs of which sizes conversions were made (a bit of 64), and how long they took in each of the last
 * runs that made some, in thousandths of what was estimated. A row is for powers of two of work-items and structs; a
 * candidate's line has nanoseconds, for how many
 * work-items, and how many launches were measured. Pure C. */
#ifndef DL_INTERCEPT_REMEMBER_H
#define DL_INTERCEPT_REMEMBER_H

#include "core.h"

/* Everything known of the kernels with this text; the caller frees it. NULL: nothing, or no memory.
 *   date  "YYYY-MM-DD" */
char *dl__remember_write(const struct dl__policy *policy, const unsigned char *text,
                         const char *date);
/* Adds what a text says to the kernels with this hash. False: it is damaged or of another version,
 * and nothing was added. */
bool dl__remember_read(struct dl__policy *policy, const unsigned char *text,
                       const char *said, size_t bytes);
/* The same of what other processes have kept meanwhile: only what this one has not measured itself. */
bool dl__remember_add(struct dl__policy *policy, const unsigned char *text,
                      const char *said, size_t bytes);
/* True when a kernel with this text has something new to remember. */
bool dl__remember_changed(const struct dl__policy *policy, const unsigned char *text);

#endif
