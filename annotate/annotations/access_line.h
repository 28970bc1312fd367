/* SPDX-License-Identifier: MIT */
/* Accesses in the tables of a rewritten text, a line each. */
#ifndef DL_ANNOTATE_ACCESS_LINE_H
#define DL_ANNOTATE_ACCESS_LINE_H

#include "annotate/base/arena.h"
#include "annotate/notes.h"

/* `linear 1 0+4 read`: the form, the bytes of the struct, `read`, `write`, `atomic`,
 * `walks`, `conditional` and `loops N` where they are so, in this order. `0+*`: as many
 * bytes as a row has. */
void dl__access_print(struct dl__buf *out, const struct dl_access_fact *fact);

#endif
