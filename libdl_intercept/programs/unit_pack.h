/* SPDX-License-Identifier: MIT */
/* Units as bytes: in the builder's jobs, and in the cache. */
#ifndef DL_INTERCEPT_UNIT_PACK_H
#define DL_INTERCEPT_UNIT_PACK_H

#include "unit.h"

/* The unit's own text, options and headers; with `files`, also what it includes, where
 * that is known. */
void dl__unit_pack(struct dl__pack *pack, const struct dl__unit *unit, bool files);
/* The unit, its annotations not read yet; NULL: damaged, or out of memory. */
struct dl__unit *dl__unit_unpack(struct dl__unpack *fields);

#endif
