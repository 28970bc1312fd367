/* SPDX-License-Identifier: MIT */
/* The files that a unit's text includes: as they were when the driver read them, and as
 * they are. A unit is rewritten and built later than the program's own build, which must
 * not see others. */
#ifndef DL_INTERCEPT_UNIT_FILES_H
#define DL_INTERCEPT_UNIT_FILES_H

#include "unit.h"

/* Reads the files that a text may include; to be called just before the driver reads
 * them.
 *   headers  as in struct dl_annotate_options */
void dl__files_see(struct dl__seen_files *seen, const char *text, const char *options,
                   const struct dl_header *headers, size_t header_count);
bool dl__seen_files_copy(struct dl__seen_files *to, const struct dl__seen_files *from);
/* True when all that the unit includes is known, so that what is made of it may be kept.
 */
bool dl__unit_files_known(const struct dl__unit *unit);
/* True when building the unit's text now reads what the program's own build has read.
 *   reason  out, where it does not: why, in words that follow a kernel's name */
bool dl__unit_is_as_built(const struct dl__unit *unit, const char **reason);
/* The same of what was read to rewrite it; says so where it was something else.
 *   files  all that was read */
bool dl__unit_was_as_built(const struct dl__unit *unit, const struct dl__pack *files);

#endif
